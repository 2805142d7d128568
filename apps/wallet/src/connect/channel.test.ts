import { expect, test, vi } from 'vitest'
import { openChannel } from './channel.ts'

const nonce = '0123456789abcdef'.repeat(2)
const origin = 'https://app.example'
const request = { jsonrpc: '2.0', id: 1, method: 'personal_sign', params: ['0x68'], chainId: 1 }

/** A window that a page opened. `say` sends it a message event. */
function openPopup({ fragment = `#v=1&nonce=${nonce}&origin=${origin}`, hasOpener = true } = {}) {
  const target = new EventTarget()
  const posted: unknown[] = []
  const opener = { postMessage: (...message: unknown[]) => void posted.push(message) }
  const close = vi.fn()
  const popup = Object.assign(target, {
    opener: hasOpener ? opener : null,
    location: { hash: fragment },
    close,
    setTimeout: (run: () => void) => void run(),
  })
  const channel = openChannel(popup as never) // the fake has the members that the channel uses
  const { port1: page, port2 } = new MessageChannel()
  const answers: unknown[] = []
  page.onmessage = ({ data }) => void answers.push(data)
  const say = (change: object = {}) =>
    popup.dispatchEvent(
      Object.assign(new Event('message'), {
        data: { type: 'lanyard:connect', nonce },
        origin,
        source: opener,
        ports: [port2],
        ...change,
      }),
    )
  return { channel, page, say, posted, answers, close }
}

test('default: one handshake, one request, one answer', async () => {
  const { channel, page, say, posted, answers, close } = openPopup()
  expect(posted).toEqual([[{ type: 'lanyard:ready', nonce }, origin]])
  expect(channel.getState()).toEqual({ step: 'waiting' })
  say()
  page.postMessage(request)
  await expect.poll(() => channel.getState()).toEqual({ step: 'requested', origin, request })
  page.postMessage({ ...request, id: 2 })
  await expect.poll(() => answers).toMatchObject([{ id: 2, error: { code: -32002 } }])
  channel.resolve('0xsigned')
  await expect.poll(() => answers).toContainEqual({ id: 1, result: '0xsigned' })
  expect(channel.getState()).toEqual({ step: 'answered' })
  expect(close).toHaveBeenCalled()
  channel.resolve('again')
  page.postMessage({ ...request, id: 3 })
  await expect.poll(() => answers.length).toBe(3)
  expect(answers.at(-1)).toMatchObject({ id: 3, error: { code: -32002 } })
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another window', { source: {} }],
  ['another nonce', { data: { type: 'lanyard:connect', nonce: '0'.repeat(32) } }],
  ['another type', { data: { type: 'lanyard:ready', nonce } }],
  ['no port', { ports: [] }],
  ['two ports', { ports: [new MessageChannel().port1, new MessageChannel().port1] }],
])('error: a handshake with %s is ignored, and the right one is still accepted', async (_name, change) => {
  const { channel, page, say } = openPopup()
  say(change)
  page.postMessage(request)
  say()
  await expect.poll(() => channel.getState()).toMatchObject({ step: 'requested', origin })
})

test('error: a second handshake is ignored', async () => {
  const { channel, page, say } = openPopup()
  const other = new MessageChannel()
  say()
  say({ ports: [other.port2] })
  other.port1.postMessage({ ...request, method: 'wallet_connect' })
  page.postMessage(request)
  await expect.poll(() => channel.getState()).toMatchObject({ step: 'requested', request })
})

test('error: a message that is not a request is ignored', async () => {
  const { channel, page, say } = openPopup()
  say()
  for (const data of [null, 'text', { ...request, params: {} }, { ...request, id: '1' }])
    page.postMessage(data)
  page.postMessage(request)
  await expect.poll(() => channel.getState()).toMatchObject({ step: 'requested', request })
})

test('behavior: posts no messages without an opener or an invitation', () => {
  for (const options of [
    { hasOpener: false },
    { fragment: '' },
    { fragment: `#v=1&nonce=${nonce}&origin=*` },
  ]) {
    const { channel, posted } = openPopup(options)
    expect([channel.getState(), posted]).toEqual([{ step: 'alone' }, []])
  }
})
