/**
 * Data for offline use: answers, puzzles and finished matches, in the browser's database.
 *
 * Browsers can refuse storage; then nothing is kept. Data of another protocol version is dropped.
 */

import { VERSION } from "../protocol.js";

/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { Player, PuzzlePosed } from "../protocol.js" */

/** @typedef {{ key: string, at_ms: number, answer: object }} KeptAnswer */
/** @typedef {{ key: string, at_ms: number, answer: PuzzlePosed }} KeptPuzzle */
/**
 * @typedef {object} KeptMatch
 * @property {string} key Its id.
 * @property {number} at_ms When it ended.
 * @property {string} game
 * @property {(Player | null)[]} players
 * @property {MatchMessage[]} messages What the server sent about it, from its start.
 * @property {number[]} [moves] Of a match on this device: in the engine's numbers.
 * @property {string} [archived] Of a match on this device: its id in the reader's archive, once it is there.
 */
/** @typedef {{ answers: KeptAnswer, puzzles: KeptPuzzle, matches: KeptMatch }} Kept */

/** Maximum entries of each kind; the oldest are dropped. @type {Record<keyof Kept, number>} */
const MOST = { answers: 2_000, puzzles: 300, matches: 300 };
const KINDS = /** @type {(keyof Kept)[]} */ (Object.keys(MOST));

export class DeviceStore {
  /** @type {Promise<IDBDatabase | null> | null} */
  #opening = null;

  /**
   * @template {keyof Kept} Kind
   * @param {Kind} kind
   * @param {string} key
   * @returns {Promise<Kept[Kind] | null>}
   */
  async get(kind, key) {
    return (await this.#do(kind, "readonly", (entries) => entries.get(key))) ?? null;
  }

  /**
   * @template {keyof Kept} Kind
   * @param {Kind} kind
   * @returns {Promise<Kept[Kind][]>} The newest first.
   */
  async list(kind) {
    const entries = await this.#do(kind, "readonly", (store) => store.index("at_ms").getAll());
    return (entries ?? []).reverse();
  }

  /**
   * @template {keyof Kept} Kind
   * @param {Kind} kind
   * @param {Kept[Kind]} entry
   */
  async put(kind, entry) {
    await this.#do(kind, "readwrite", (entries) => entries.put(entry));
  }

  /** Drop everything: another player uses this browser. */
  async clear() {
    for (const kind of KINDS) await this.#do(kind, "readwrite", (entries) => entries.clear());
  }

  /**
   * @param {keyof Kept} kind
   * @param {IDBTransactionMode} mode
   * @param {(entries: IDBObjectStore) => IDBRequest} act
   * @returns {Promise<any>} Undefined if the browser keeps nothing.
   */
  async #do(kind, mode, act) {
    this.#opening ??= open();
    const database = await this.#opening;
    if (database === null) return undefined;
    return new Promise((resolve) => {
      try {
        const request = act(database.transaction(kind, mode).objectStore(kind));
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => resolve(undefined));
      } catch {
        resolve(undefined); // The browser has closed the database.
      }
    });
  }
}

/** @returns {Promise<IDBDatabase | null>} */
function open() {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open("millrace", VERSION);
      request.addEventListener("upgradeneeded", () => create(request.result));
      request.addEventListener("success", () => resolve(opened(request.result)));
      for (const type of ["error", "blocked"]) request.addEventListener(type, () => resolve(null));
    } catch {
      resolve(null);
    }
  });
}

/** @param {IDBDatabase} database */
function create(database) {
  for (const name of [...database.objectStoreNames]) database.deleteObjectStore(name);
  for (const kind of KINDS) database.createObjectStore(kind, { keyPath: "key" }).createIndex("at_ms", "at_ms");
}

/** @param {IDBDatabase} database */
function opened(database) {
  // A page of a later version, in another tab, waits for this one to let go.
  database.addEventListener("versionchange", () => database.close());
  for (const kind of KINDS) trim(database.transaction(kind, "readwrite").objectStore(kind), MOST[kind]);
  return database;
}

/** @param {IDBObjectStore} entries @param {number} most */
function trim(entries, most) {
  const counting = entries.count();
  counting.addEventListener("success", () => {
    let surplus = counting.result - most;
    if (surplus <= 0) return;
    const walking = entries.index("at_ms").openCursor();
    walking.addEventListener("success", () => {
      const cursor = walking.result;
      if (cursor === null || surplus <= 0) return;
      surplus -= 1;
      cursor.delete();
      cursor.continue();
    });
  });
}
