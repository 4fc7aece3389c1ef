// The files of a drop, folders walked through; of a choice, with their folders.

/** @typedef {import("../net/upload.js").NamedFile} NamedFile */

/**
 * Call it before the first `await` of the listener: the browser forgets the entries afterwards.
 * @param {DataTransfer} transfer
 * @returns {Promise<NamedFile[]>}
 */
export async function filesOfDrop(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  if (!entries.length) return filesOfChoice(transfer.files);
  const found = await Promise.all(entries.map((entry) => walk(entry)));
  return found.flat();
}

/**
 * @param {FileList|null} files
 * @returns {NamedFile[]}
 */
export function filesOfChoice(files) {
  return [...(files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, blob: file }));
}

/** @returns {Promise<NamedFile[]>} */
async function walk(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ name: entry.fullPath.replace(/^\//, ""), blob: file }];
  }
  const found = await Promise.all((await entriesOf(entry)).map((inner) => walk(inner)));
  return found.flat();
}

/** All entries of a folder, of which the browser gives a hundred at a time. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    all.push(...some);
  }
}
