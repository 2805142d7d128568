import { createSessionKey, type SessionKeyPair, sessionKeyOfPair } from '@lanyard/client'
import { sessionKeyId } from '@lanyard/session-keys'
import type { Hex } from 'viem'

const store = 'session-keys'

/**
 * Creates a session key that cannot leave this browser: WebCrypto holds the private part and only signs with
 * it. It is stored in IndexedDB under its key id.
 *
 * @returns the public key in the format of apps' requests: 0x04 ‖ x ‖ y
 * @throws DOMException if storage is refused
 */
export async function createBrowserKey(): Promise<string> {
  const { keyPair, key, sessionKey } = await createSessionKey()
  const keys = await openStore('readwrite')
  await answerOf(keys.put(keyPair, sessionKeyId(key)))
  return sessionKey
}

/** The signer of a key that was created here. Undefined for any other key. */
export async function readBrowserKey(keyId: Hex) {
  const keys = await openStore('readonly')
  // This store contains only key pairs.
  const pair: SessionKeyPair | undefined = await answerOf(keys.get(keyId))
  return pair && sessionKeyOfPair(pair)
}

/** The ids of the keys created in this browser. Empty if storage is refused. */
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
