/* A link that stands in a field: copied, or handed to the other apps of a phone. Without this file it is
   there to be marked and copied by hand. */

document.documentElement.classList.add("js");
document.documentElement.classList.toggle("shares", Boolean(navigator.share));

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy ?? button.dataset.share);
  if (button.dataset.share) return share(field.value, button.dataset.text);
  if (!(await copied(field))) return;
  button.textContent = button.dataset.done;
  tell(button.dataset.done);
});

async function share(url, text) {
  try {
    await navigator.share({ title: document.title, text, url });
  } catch {
    // who closes the list of apps has changed his mind
  }
}

async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy"); // the clipboard is for https alone
  }
}

function tell(words) {
  const live = document.getElementById("live");
  live?.replaceChildren(Object.assign(document.createElement("p"), { textContent: words }));
}
