/**
 * Data for offline use: answers, puzzles and matches, in the browser's database.
 *
 * Browsers can refuse storage; then nothing is kept. Data of another protocol version or player is dropped, except
 * matches on this device, which are nowhere else.
 */

import { BEFORE_DEVICE_IDS, AFTER_DEVICE_IDS, isOnDevice } from "../device/device_ids.js";
import { VERSION } from "../protocol.js";

/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { MatchEvent, Player, PuzzlePosed } from "../protocol.js" */

/** @typedef {{ key: string, at_ms: number, answer: object }} KeptAnswer */
/** @typedef {{ key: string, at_ms: number, answer: PuzzlePosed }} KeptPuzzle */
/**
 * @typedef {object} KeptMatch
 * @property {string} key Its id.
 * @property {number} at_ms When it ended.
 * @property {string} game
 * @property {(Player | null)[]} players
 * @property {MatchMessage[]} messages What the server sent about it, from its start; of a match on this device its events.
 * @property {number} [format] Of a match on this device, as in `device_records.js`.
 * @property {string} [archived] Of a match on this device: its id in the reader's archive, once it is there.
 */
/** @typedef {{ answers: KeptAnswer, puzzles: KeptPuzzle, matches: KeptMatch }} Kept */

/** Maximum entries of each kind; the oldest are dropped, but no match on this device before it is archived. @type {Record<keyof Kept, number>} */
const MOST = { answers: 2_000, puzzles: 300, matches: 300 };
const KINDS = /** @type {(keyof Kept)[]} */ (Object.keys(MOST));

export class DeviceStore {
  /** @type {Promise<IDBDatabase | null> | null} */
  #opening = null;

  /** Whether the browser lets the page keep anything. */
  async isUsable() {
    return (await this.#database()) !== null;
  }

  /**
   * @template {keyof Kept} Kind
   * @param {Kind} kind
   * @param {string} key
   * @returns {Promise<Kept[Kind] | null>}
   */
  async get(kind, key) {
    return (await this.#do(kind, "readonly", (entries) => entries.get(key)))?.result ?? null;
  }

  /**
   * @template {keyof Kept} Kind
   * @param {Kind} kind
   * @returns {Promise<Kept[Kind][]>} The newest first.
   */
  async list(kind) {
    const request = await this.#do(kind, "readonly", (entries) => entries.index("at_ms").getAll());
    return (request?.result ?? []).reverse();
  }

  /**
   * @template {keyof Kept} Kind
   * @param {Kind} kind
   * @param {Kept[Kind]} entry
   */
  async put(kind, entry) {
    await this.#do(kind, "readwrite", (entries) => entries.put(entry));
  }

  /**
   * Keep a match on this device, unless another tab has continued or deleted it.
   * @param {KeptMatch} match
   * @param {number} known The number of the last event that the caller knows to be kept; 0 for a new match.
   * @returns {Promise<"kept" | "behind" | "refused">}
   */
  async keepMatch(match, known) {
    const before = await this.#do("matches", "readwrite", (entries) => {
      const asking = entries.get(match.key);
      asking.addEventListener("success", () => {
        if (lastEventOf(asking.result) === known) entries.put(match);
      });
      return asking;
    });
    if (before === null) return "refused";
    return lastEventOf(before.result) === known ? "kept" : "behind";
  }

  /** @param {string} key */
  async deleteMatch(key) {
    await this.#do("matches", "readwrite", (entries) => entries.delete(key));
  }

  /** Another player uses this browser. */
  async clear() {
    for (const kind of KINDS) await this.#do(kind, "readwrite", clear);
  }

  #database() {
    return (this.#opening ??= open());
  }

  /**
   * @param {keyof Kept} kind
   * @param {IDBTransactionMode} mode
   * @param {(entries: IDBObjectStore) => IDBRequest} act
   * @returns {Promise<IDBRequest | null>} Once its transaction is complete; null if the browser refuses.
   */
  async #do(kind, mode, act) {
    const database = await this.#database();
    if (database === null) return null;
    return new Promise((resolve) => {
      try {
        const transaction = database.transaction(kind, mode);
        const request = act(transaction.objectStore(kind));
        transaction.addEventListener("complete", () => resolve(request));
        transaction.addEventListener("abort", () => resolve(null));
      } catch {
        resolve(null); // The browser has closed the database.
      }
    });
  }
}

/** @returns {Promise<IDBDatabase | null>} */
function open() {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open("millrace", VERSION);
      request.addEventListener("upgradeneeded", () => create(request));
      request.addEventListener("success", () => resolve(opened(request.result)));
      for (const type of ["error", "blocked"]) request.addEventListener(type, () => resolve(null));
    } catch {
      resolve(null);
    }
  });
}

/** @param {IDBOpenDBRequest} request */
function create({ result, transaction }) {
  for (const kind of KINDS) {
    if (result.objectStoreNames.contains(kind)) clear(/** @type {IDBTransaction} */ (transaction).objectStore(kind));
    else result.createObjectStore(kind, { keyPath: "key" }).createIndex("at_ms", "at_ms");
  }
}

/** Drop everything but matches on this device. @param {IDBObjectStore} entries */
function clear(entries) {
  entries.delete(IDBKeyRange.upperBound(BEFORE_DEVICE_IDS));
  return entries.delete(IDBKeyRange.lowerBound(AFTER_DEVICE_IDS));
}

/** @param {KeptMatch | undefined} match @returns {number} */
function lastEventOf(match) {
  return /** @type {MatchEvent | undefined} */ (match?.messages.at(-1))?.seq ?? 0;
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
      if (!isOnDevice(cursor.value.key) || cursor.value.archived) {
        surplus -= 1;
        cursor.delete();
      }
      cursor.continue();
    });
  });
}
