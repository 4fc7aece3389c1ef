// Pages are checked by their digest, which browsers allow on HTTPS and on localhost only: checked on the sign-in screen.
if (!isSecureContext) /** @type {HTMLElement} */ (document.getElementById("too-plain")).hidden = false;
