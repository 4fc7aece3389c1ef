// The browser's own database. What a promise here says is kept has reached the disk, not only a buffer.
//
// Everything lies under a user's key, which her server gives and nobody guesses: what is asked for is always asked
// for by that key, so a second person on the same computer is shown nothing of the first's.
//
//   drafts   [user, slot, window]  what one window has not had acknowledged
//   heads    [user, slot]          where the steps of a window on a page stand, and what they lead to: slot "7/window"
//   steps    [user, slot, number]  one of them, that can be undone or done again
//   texts    [user, document]      the canonical text, so that a draft can be sent without its page

const NAME = "goldpan";
const STORES = {
  drafts: ["user", "slot", "window"], heads: ["user", "slot"], steps: ["user", "slot", "number"], texts: ["user", "document"],
};

let opened = null;

function database() {
  opened ??= open();
  return opened;
}

function open() {
  const early = globalThis.goldpanEarly?.database;
  if (early) globalThis.goldpanEarly.database = null;
  const made = Promise.resolve(early).then((database) => database ?? asked()).then(watched);
  made.catch(forget);
  return made;
}

/** early.js opens it so too. */
function asked() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, { keyPath });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("an older window holds the database"));
  });
}

/** The browser may close it (the profile is wiped, a newer Goldpan wants it): the next use opens it again. */
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
 * @param {(stores: Record<keyof STORES, IDBObjectStore>) => void} act asks for everything before it returns
 * @returns {Promise<void>} when all of it is on the disk; rejected when none of it is
 */
export async function write(act) {
  const transaction = (await database()).transaction(Object.keys(STORES), "readwrite", { durability: "strict" });
  const done = settled(transaction);
  act(storesOf(transaction));
  // Not when the last request has been answered: by then the window may be gone, and the transaction with it.
  transaction.commit();
  await done;
}

/**
 * @template T
 * @param {(stores: Record<keyof STORES, IDBObjectStore>) => IDBRequest<T>} ask
 * @returns {Promise<T>}
 */
export async function read(ask) {
  const [result] = await readAll((stores) => [ask(stores)]);
  return result;
}

/** Several answers at once. @param {(stores: Record<keyof STORES, IDBObjectStore>) => IDBRequest[]} ask @returns {Promise<any[]>} */
export async function readAll(ask) {
  const transaction = (await database()).transaction(Object.keys(STORES), "readonly");
  return Promise.all(ask(storesOf(transaction)).map(answered));
}

/** All whose key begins so. @param {string[]} start */
export const under = (...start) => IDBKeyRange.bound(start, [...start, []]);

/** Everything of one user. @param {string} user */
export function wipe(user) {
  return write((stores) => { for (const store of Object.values(stores)) store.delete(under(user)); });
}

function storesOf(transaction) {
  return Object.fromEntries(Object.keys(STORES).map((name) => [name, transaction.objectStore(name)]));
}

function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function settled(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser kept nothing"));
  });
}

/**
 * One run at a time: what is asked for during a run is done by one more, which sees the newest.
 * @template T
 * @param {() => Promise<T>} act never rejects
 * @returns {() => Promise<T>} settled after a run that began when it was asked for, or later
 */
export function oneAtATime(act) {
  let running = null;
  let next = null;
  const run = () => {
    next = null;
    running = act().finally(() => { if (!next) running = null; });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running.then(run);
    return next;
  };
}
