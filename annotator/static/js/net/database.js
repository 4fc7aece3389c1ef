// The browser's IndexedDB. When a write resolves, the data has reached the disk, not only a buffer.
//
// Everything is keyed by a secret user key from the server, so a second person on the same computer sees nothing of
// the first one's data.
//
//   drafts   [user, slot, window]  changes of one window that the server has not acknowledged
//   heads    [user, slot]          position in a window's undo history, and the content there: slot "7/window"
//   steps    [user, slot, number]  one step of such a history
//   texts    [user, document]      the canonical text, so that a draft can be sent without its page

const NAME = "goldpan";
const STORES = {
  drafts: ["user", "slot", "window"],
  heads: ["user", "slot"],
  steps: ["user", "slot", "number"],
  texts: ["user", "document"],
};

/** @typedef {Record<"drafts"|"heads"|"steps"|"texts", IDBObjectStore>} Stores */

/** @type {Promise<IDBDatabase>|null} */
let opened = null;

function database() {
  if (!opened) {
    opened = open();
    opened.catch(forget);
  }
  return opened;
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, { keyPath });
    };
    request.onsuccess = () => resolve(watched(request.result));
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("an older window holds the database"));
  });
}

/** The browser may close it (the profile is wiped, a newer Goldpan upgrades it): the next use reopens it. */
function watched(database) {
  database.onclose = forget;
  database.onversionchange = () => {
    database.close();
    forget();
  };
  return database;
}

function forget() {
  opened = null;
}

/**
 * @param {(stores: Stores) => void} act makes all requests before it returns
 * @returns {Promise<void>} when all of it is on the disk; rejected when none of it is
 */
export async function write(act) {
  const transaction = (await database()).transaction(Object.keys(STORES), "readwrite", { durability: "strict" });
  const done = finished(transaction);
  act(storesOf(transaction));
  // Not after the last request's answer: by then the window may be closed, and the transaction lost.
  transaction.commit();
  await done;
}

/**
 * @template T
 * @param {(stores: Stores) => IDBRequest<T>} ask
 * @returns {Promise<T>}
 */
export async function read(ask) {
  const [result] = await readAll((stores) => [ask(stores)]);
  return result;
}

/** Several results at once. @param {(stores: Stores) => IDBRequest[]} ask @returns {Promise<any[]>} */
export async function readAll(ask) {
  const transaction = (await database()).transaction(Object.keys(STORES), "readonly");
  return Promise.all(ask(storesOf(transaction)).map(answered));
}

/** All keys with this prefix. @param {string[]} start */
export const under = (...start) => IDBKeyRange.bound(start, [...start, []]);

/** Everything of one user. @param {string} user */
export function wipe(user) {
  return write((stores) => {
    for (const store of Object.values(stores)) store.delete(under(user));
  });
}

/** @param {IDBTransaction} transaction @returns {Stores} */
function storesOf(transaction) {
  return /** @type {Stores} */ (
    Object.fromEntries(Object.keys(STORES).map((name) => [name, transaction.objectStore(name)]))
  );
}

function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser stored nothing"));
  });
}

/**
 * One run at a time: calls during a run share one more run, which sees the newest state.
 * @template T
 * @param {() => Promise<T>} act never rejects
 * @returns {() => Promise<T>} resolves after a run that began at the call or later
 */
export function oneAtATime(act) {
  /** @type {Promise<T>|null} */
  let running = null;
  /** @type {Promise<T>|null} */
  let next = null;
  const run = () => {
    next = null;
    const began = act().finally(() => {
      if (!next) running = null;
    });
    running = began;
    return began;
  };
  return () => {
    if (!running) return run();
    next ??= running.then(run);
    return next;
  };
}
