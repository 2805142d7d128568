/** @module-tag all */

import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { findNginx, hasIpv6, nginxFiles, startNginx } from '@lanyard/testing/balancer'
import { describe, expect, test } from 'vitest'

const nginx = findNginx()

/** Milliseconds that nginx waits for a header or a body at least: ten seconds by a clock that may be a little old. */
const headerTimeout = 9_000

/** Opens connections from one address, each with the same first bytes, and never sends more. */
async function hold(
  url: string,
  count: number,
  text: string | ((number: number) => string),
  localAddress = '127.0.0.2',
): Promise<AsyncDisposable & { readonly open: () => number; readonly closedEarly: () => number }> {
  const { hostname, port } = new URL(url)
  let closedEarly = 0
  const sockets = Array.from({ length: count }, (): Socket => {
    const begun = performance.now()
    const socket = connect({ host: hostname, port: Number(port), localAddress }).resume()
    socket.on('error', () => {}) // nginx closes those that are too many
    socket.on('close', () => {
      if (performance.now() - begun < headerTimeout) closedEarly++
    })
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const [number, socket] of sockets.entries())
    socket.write(typeof text === 'string' ? text : text(number))
  return {
    open: () => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length,
    closedEarly: () => closedEarly,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function post(url: string, localAddress: string, more = {}): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const headers = { 'content-type': 'application/json', connection: 'close', ...more }
  request(url, { method: 'POST', localAddress, headers }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode))
  })
    .on('error', reject)
    .end('{}')
  return promise
}

const head = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

async function startReplica(answer: RequestListener) {
  const replica = createServer(answer).listen(0, '127.0.0.1')
  await once(replica, 'listening')
  const { port } = replica.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      replica.closeAllConnections()
      replica.close()
    },
  }
}

const slowBody = `${head}Content-Length: 1000\r\n\r\n{`

describe.skipIf(!nginx).each(nginxFiles)('%s', (file) => {
  const start = (replica: string) => startNginx(nginx ?? '', [replica], file)

  test.each([
    // Of one address: the others get 429.
    ['1,017 slow bodies', 1_017, slowBody, 512],
    ['1,000 slow headers', 1_000, head, 1_000],
    ['2,000 idle connections', 2_000, '', 2_000],
  ])('behavior: %s of one address leave everyone else served', async (_name, count, text, kept) => {
    let slow = 0
    await using replica = await startReplica((incoming, response) => {
      if (incoming.url === '/slow') slow++
      response.end('{}')
    })
    await using balancer = await start(replica.url)
    await using held = await hold(balancer.url, count, text)
    const statuses: unknown[] = []
    for (let number = 0; number < 40; number++) statuses.push(await post(`${balancer.url}/any`, '127.0.0.3'))
    expect(statuses).toEqual(Array(40).fill(200))
    expect(slow).toBe(0) // no replica sees a body before it is complete
    // nginx closes none for want of connections, which would be those of anybody. It closes all that are slow, so on a
    // slow machine the first ones are gone by now.
    expect(held.closedEarly()).toBeLessThanOrEqual(count - kept)
  })

  test('error: 429 for the requests of one address beyond its connections', async () => {
    await using replica = await startReplica((_incoming, response) => response.end('{}'))
    await using balancer = await start(replica.url)
    await using _held = await hold(balancer.url, 700, slowBody)
    await expect.poll(() => post(`${balancer.url}/any`, '127.0.0.2')).toBe(429)
    expect(await post(`${balancer.url}/any`, '127.0.0.3')).toBe(200)
  })

  test('error: 429 for the addresses of one /64 of IPv6 together, and for no other', async () => {
    await using replica = await startReplica((_incoming, response) => response.end('{}'))
    await using balancer = await start(replica.url)
    const as = (address: string) => ({ 'X-Test-Address': address })
    await using _held = await hold(
      balancer.url,
      700,
      (number) => slowBody.replace('\r\n', `\r\nX-Test-Address: 2001:db8:0:a::${number.toString(16)}\r\n`),
      '127.0.0.4',
    )
    const posted = (address: string) => post(`${balancer.url}/any`, '127.0.0.4', as(address))
    await expect.poll(() => posted('2001:db8:0:a:ffff::1')).toBe(429)
    expect(await posted('2001:db8:0:b::1')).toBe(200)
    expect(await post(`${balancer.url}/any`, '127.0.0.3')).toBe(200)
  })

  test.skipIf(!hasIpv6)('behavior: it listens on IPv6 too', async () => {
    await using replica = await startReplica((incoming, response) =>
      response.end(String(incoming.headers['x-forwarded-for'])),
    )
    await using balancer = await start(replica.url)
    expect(await (await fetch(balancer.url.replace('127.0.0.1', '[::1]'))).text()).toBe('::1')
  })

  test('behavior: a connection ends whose client does not go on with its header or body', async () => {
    await using replica = await startReplica((_incoming, response) => response.end('{}'))
    await using balancer = await start(replica.url)
    await using body = await hold(balancer.url, 1, slowBody)
    await using header = await hold(balancer.url, 1, head)
    // Less than the 60 s that nginx waits without the settings.
    await expect.poll(() => [body.open(), header.open()], { timeout: 50_000 }).toEqual([0, 0])
  })

  test('behavior: a replica is free although the client does not read its answer', async () => {
    const isSent = Promise.withResolvers<boolean>()
    await using replica = await startReplica((_incoming, response) => {
      // Without buffers nginx closes the connection to the replica when it gives up the client.
      response.on('close', () => isSent.resolve(response.writableFinished))
      response.end(Buffer.alloc(12 * 1024 * 1024, 'a'))
    })
    await using balancer = await start(replica.url)
    const { hostname, port } = new URL(balancer.url)
    const client = connect({ host: hostname, port: Number(port) }).pause()
    client.on('error', () => {})
    client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await isSent.promise).toBe(true)
    client.destroy()
  })
})
