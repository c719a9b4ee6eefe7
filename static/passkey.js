// Passkeys (Web Authentication, level 3): a form with data-passkey asks the browser for one, by the
// options of the page or those of its address, and posts the answer. Without this script the forms
// stay hidden, and what stands in their place says so.
const able = "parseRequestOptionsFromJSON" in (window.PublicKeyCredential || {});

async function options(form) {
  const page = document.getElementById("passkey-options");
  if (page) return JSON.parse(page.textContent);
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

async function credential(form) {
  const asked = await options(form);
  if (form.dataset.passkey == "get") {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.request_options.publicKey);
    return navigator.credentials.get({ publicKey });
  }
  const wanted = asked.creation_options.publicKey;
  // A passkey that signs in by itself: kept by the device, which asks who holds it.
  Object.assign(wanted.authenticatorSelection, {
    residentKey: "required", requireResidentKey: true, userVerification: "required",
  });
  return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(wanted) });
}

for (const form of able ? document.querySelectorAll("form[data-passkey]") : []) {
  const button = form.querySelector("button");
  const failed = form.querySelector("[role=alert]");
  form.hidden = false;
  for (const instead of document.querySelectorAll(".scriptless")) instead.hidden = true;
  async function ask() {
    button.disabled = true;
    failed.hidden = true;
    try {
      form.elements.credential.value = JSON.stringify(await credential(form));
      form.submit();
    } catch {
      failed.hidden = false;
      button.disabled = false;
    }
  }
  button.addEventListener("click", ask);
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
}
