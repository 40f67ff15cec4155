// A link with the secret: this page submits the secret in a form, so that a known browser sends its cookie and stays
// the same visitor, and removes it from the address.

history.replaceState(null, "", "/");
document.getElementById("knock").requestSubmit();
