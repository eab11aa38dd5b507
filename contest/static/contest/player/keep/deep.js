// What is too large for localStorage: kept in IndexedDB, which holds as much as the disk allows. Each write is one
// transaction: after a crash there is the old value or the new one.

const NAME = "leitai";
const SHELF = "kept";

/** The value kept under *name*, or undefined. */
export async function readDeep(name) {
  return done((await shelf("readonly")).get(name));
}

/** Keep *value*, whatever can be cloned. */
export async function writeDeep(name, value) {
  await done((await shelf("readwrite")).put(value, name));
}

async function shelf(mode) {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(SHELF);
  const database = await done(opening);
  const transaction = database.transaction(SHELF, mode);
  transaction.oncomplete = transaction.onabort = () => database.close();
  return transaction.objectStore(SHELF);
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
