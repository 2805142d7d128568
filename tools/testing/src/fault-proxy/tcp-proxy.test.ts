import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo, endOfConnection } from './connect-to.ts'
import { startTcpProxy } from './index.ts'

/** Answers each chunk with an equal number of dots. */
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (chunk) => socket.write('.'.repeat(chunk.length)))
})
let port: number
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => void server.close())

const start = () => startTcpProxy({ host: '127.0.0.1', port })

test('default: forwards both ways, and ends when either side ends', async () => {
  await using proxy = await start()
  const client = await connectTo(proxy.port)
  client.socket.write('hello')
  await client.untilText('.....')
  client.socket.end()
  expect(await client.ended).toBe('end')
  expect(proxy.accepted).toBe(1)
  expect(proxy.url('postgresql')).toBe(`postgresql://127.0.0.1:${proxy.port}`)
})

test('args: delay', async () => {
  await using proxy = await start()
  await proxy.set({ kind: 'delay', milliseconds: 60 })
  const client = await connectTo(proxy.port)
  const began = performance.now()
  client.socket.write('hello')
  await client.untilText('.....')
  expect(performance.now() - began).toBeGreaterThan(115) // 60 each way; timers may fire a little early
})

test('args: cut resets open and new connections', async () => {
  await using proxy = await start()
  const open = await connectTo(proxy.port)
  open.socket.write('hello')
  await open.untilText('.....')
  await proxy.set({ kind: 'cut' })
  expect(await open.ended).toBe('ECONNRESET')
  expect(await endOfConnection(proxy.port)).toBe('ECONNRESET')
  await proxy.set({ kind: 'pass' })
  const again = await connectTo(proxy.port)
  again.socket.write('hi')
  await again.untilText('..')
})

test('args: cut after some bytes of the answer', async () => {
  await using proxy = await start()
  await proxy.set({ kind: 'cut', bytes: 3 })
  const client = await connectTo(proxy.port)
  client.socket.write('hello')
  expect(await client.ended).toBe('ECONNRESET')
  // an RST may overtake data that the reader has not read yet
  expect(client.text().length).toBeLessThanOrEqual(3)
})

test('args: truncate', async () => {
  await using proxy = await start()
  await proxy.set({ kind: 'truncate', bytes: 3 })
  const client = await connectTo(proxy.port)
  client.socket.write('hello')
  expect(await client.ended).toBe('end')
  expect(client.text()).toBe('...')
})

test('args: lose-answer resets instead of the matching answer, and changes nothing else', async () => {
  await using proxy = await start()
  const heard: string[] = []
  await proxy.set({ kind: 'lose-answer', to: (sent) => heard.push(sent) === 2 })
  const client = await connectTo(proxy.port)
  const other = await connectTo(proxy.port)
  client.socket.write('hello')
  await client.untilText('.....')
  client.socket.write('hi')
  expect(await client.ended).toBe('ECONNRESET')
  expect(client.text()).toBe('.....')
  other.socket.write('you')
  await other.untilText('...')
  expect(heard).toEqual(['hello', 'hi', 'you'])
})

test('args: black-hole accepts connections, holds all data, and forwards it afterwards', async () => {
  await using proxy = await start()
  const open = await connectTo(proxy.port)
  await proxy.set({ kind: 'black-hole' })
  const late = await connectTo(proxy.port)
  open.socket.write('hello')
  late.socket.write('hi')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([open.text(), late.text()]).toEqual(['', ''])
  await proxy.set({ kind: 'pass' })
  await Promise.all([open.untilText('.....'), late.untilText('..')])
})

test('args: black-hole forever keeps affected connections silent, and forwards later ones', async () => {
  await using proxy = await start()
  const open = await connectTo(proxy.port)
  await proxy.set({ kind: 'black-hole', forever: true })
  const late = await connectTo(proxy.port)
  open.socket.write('hello')
  late.socket.write('hi')
  await proxy.set({ kind: 'pass' })
  const next = await connectTo(proxy.port)
  next.socket.write('you')
  await next.untilText('...')
  expect([open.text(), late.text()]).toEqual(['', ''])
  expect([open.socket.readyState, late.socket.readyState]).toEqual(['open', 'open'])
})

test('args: refuse resets open connections, and nothing listens until it ends', async () => {
  await using proxy = await start()
  const open = await connectTo(proxy.port)
  await proxy.set({ kind: 'refuse' })
  expect(await open.ended).toBe('ECONNRESET')
  expect(await endOfConnection(proxy.port)).toBe('ECONNREFUSED')
  await proxy.set({ kind: 'pass' })
  const again = await connectTo(proxy.port)
  again.socket.write('hi')
  await again.untilText('..')
})

test('behavior: an unavailable target resets the connection', async () => {
  await using proxy = await startTcpProxy({ path: '/nowhere/socket' })
  expect(await endOfConnection(proxy.port)).toBe('ECONNRESET')
})

test('behavior: supports a unix socket as a target, with all faults', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'fault-proxy-')), 'socket')
  const local = createServer(
    (socket) => void socket.on('error', () => {}).on('data', (chunk) => socket.write(chunk)),
  )
  local.listen(path)
  await once(local, 'listening')
  await using proxy = await startTcpProxy({ path })
  const open = await connectTo(proxy.port)
  open.socket.write('hello')
  await open.untilText('hello')
  await proxy.set({ kind: 'refuse' })
  expect(await open.ended).toBe('ECONNRESET')
  local.close()
  await rm(dirname(path), { recursive: true })
})

test('behavior: any number of bytes arrives complete and in order', async () => {
  const bytes = Buffer.alloc(5_000_000, 'abcdefghij')
  const big = createServer((socket: Socket) => void socket.on('error', () => {}).end(bytes))
  big.listen(0, '127.0.0.1')
  await once(big, 'listening')
  const address = big.address()
  await using proxy = await startTcpProxy({
    host: '127.0.0.1',
    port: typeof address === 'object' && address ? address.port : 0,
  })
  const client = await connectTo(proxy.port)
  expect(await client.ended).toBe('end')
  expect(client.text() === bytes.toString()).toBe(true)
  big.close()
})
