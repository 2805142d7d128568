import {
  createSessionKey,
  type SessionKeyPair,
  type SessionKeySigner,
  sessionKeyOfPair,
} from '@lanyard/client'
import { sessionKeyId } from '@lanyard/session-keys'
import type { Hex } from 'viem'

const store = 'session-keys'

/**
 * Makes a session key that cannot leave this browser: WebCrypto keeps the private part and only signs with it. It is
 * kept in IndexedDB, under its key id.
 *
 * @returns the public key as apps ask with it: 0x04 ‖ x ‖ y.
 * @throws DOMException where storage is refused.
 */
export async function createBrowserKey(): Promise<string> {
  const { keyPair, key, sessionKey } = await createSessionKey()
  const keys = await openStore('readwrite')
  await answerOf(keys.put(keyPair, sessionKeyId(key)))
  return sessionKey
}

/** A key that was created here, ready to sign; undefined for any other. */
export async function readBrowserKey(keyId: Hex): Promise<SessionKeySigner | undefined> {
  const keys = await openStore('readonly')
  // Nothing but pairs is ever stored here.
  const pair: SessionKeyPair | undefined = await answerOf(keys.get(keyId))
  return pair && sessionKeyOfPair(pair)
}

/** The ids of the keys that were made in this browser; none where storage is refused. */
export async function browserKeyIds(): Promise<readonly string[]> {
  try {
    const keys = await openStore('readonly')
    return (await answerOf(keys.getAllKeys())).map(String)
  } catch {
    return []
  }
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open('lanyard', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store)
  return (await answerOf(request)).transaction(store, mode).objectStore(store)
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
