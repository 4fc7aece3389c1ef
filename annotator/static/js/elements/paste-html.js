// Pasted HTML becomes a file like any other, with its address beside it.

const NAME = "pasted";

/** @param {import("./upload-box.js").UploadBox} box */
export function watchPaste(box) {
  const form = /** @type {HTMLFormElement|null} */ (document.querySelector("form[data-paste]"));
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    box.send(filesOf(String(fields.get("html")), String(fields.get("url"))));
  });
}

function filesOf(html, url) {
  const page = { name: `${NAME}/${NAME}.html`, blob: new Blob([html]) };
  if (!url) return [page];
  const beside = JSON.stringify({ url, charset: "utf-8" });
  return [page, { name: `${NAME}/${NAME}.json`, blob: new Blob([beside]) }];
}
