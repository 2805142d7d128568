import { afterEach, describe, expect, test } from 'vitest'
import type { Session } from '../api/stored-session.ts'
import { type SharedSession, shareSession } from './share-session.ts'

const alice: Session = {
  username: 'alice',
  account: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  token: 'token',
}
const opened: SharedSession[] = []
afterEach(() => {
  for (const shared of opened.splice(0)) shared.close()
})

/** A tab of the wallet. `next` resolves when its session changes. */
function openTab(session?: Session) {
  const tab = { session, next: () => changed.promise }
  const changed = Promise.withResolvers<Session | undefined>()
  const set = (next: Session | undefined) => {
    tab.session = next
    changed.resolve(next)
  }
  const shared = shareSession({
    current: () => tab.session,
    onSignedIn: set,
    onSignedOut: () => set(undefined),
  })
  opened.push(shared)
  return Object.assign(tab, { shared })
}

describe('shareSession', () => {
  test('default: a new tab gets the session of another tab', async () => {
    openTab(alice)
    await expect(openTab().next()).resolves.toEqual(alice)
  })

  test('behavior: signing in and out counts for all tabs', async () => {
    const first = openTab()
    const second = openTab()
    second.session = alice
    second.shared.signedIn(alice)
    await expect(first.next()).resolves.toEqual(alice)
    const third = openTab(alice)
    first.shared.signedOut()
    await expect(third.next()).resolves.toBeUndefined()
  })

  test('behavior: a tab keeps its own session, and ignores messages that are none', async () => {
    const bob = openTab({ ...alice, username: 'bob' })
    const channel = new BroadcastChannel('lanyard.session')
    channel.postMessage({ kind: 'signed-in', session: alice })
    channel.postMessage(null)
    channel.postMessage({ kind: 'signed-in', session: { username: 1 } })
    // Messages arrive in order, so a tab that is told to end has read the earlier ones.
    channel.postMessage({ kind: 'signed-out' })
    await expect(bob.next()).resolves.toBeUndefined()
    channel.close()
  })
})
