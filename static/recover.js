/* Who came by the QR code of a recovery code brings it behind the #, which no server is told of. */
const code = decodeURIComponent(location.hash.slice(1));
if (code) {
  document.querySelector("[name=code]").value = code;
  history.replaceState(null, "", location.pathname + location.search);
}
