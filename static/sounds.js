/* Sounds and vibration, for who has chosen them in the settings; nobody else loads this file.
   `live.js` says what has happened, and the button in the settings what there is to try. */

const chosen = document.querySelector("[data-signals]").dataset.signals.split(" ");
const NOTE = 0.12; // seconds
const LOUD = 0.12; // of 1: soft
// In Hz, one after the other; of several things at once only the first in this order is told.
const TUNES = {
  over: [523, 659, 784],
  turn: [523, 784],
  mau: [784, 784],
  penalty: [330, 247],
  laid: [294],
};
const SHAKES = { turn: [120], penalty: [60, 60, 60], over: [120, 80, 120] }; // ms on, off, on
let audio = null;

function signal(happened) {
  const name = Object.keys(TUNES).find((each) => happened.includes(each));
  if (chosen.includes("sounds")) sing(TUNES[name]);
  if (chosen.includes("vibration") && SHAKES[name]) navigator.vibrate?.(SHAKES[name]);
}

function sing(tune) {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume(); // until the reader has pressed something
  tune.forEach((pitch, n) => play(pitch, audio.currentTime + n * NOTE));
}

function play(pitch, from) {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + 2 * NOTE);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(from + 2 * NOTE);
}

addEventListener("ikarita:happened", ({ detail }) => signal(detail));
document.getElementById("try")?.addEventListener("click", () => signal(["turn"]));
