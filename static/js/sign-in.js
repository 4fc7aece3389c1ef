// Pages are checked by their digest, which browsers allow on HTTPS and on localhost only: said at the door.
if (!isSecureContext) document.getElementById("too-plain").hidden = false;
