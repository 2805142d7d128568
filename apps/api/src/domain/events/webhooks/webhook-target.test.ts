// @promise 24
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePrivateRange, toBlockList } from '../../../platform/environment/private-range.ts'
import { postWebhook } from './post-webhook.ts'
import {
  isPublicAddress,
  lookupTarget,
  parseTarget,
  type TargetPolicy,
  TargetRejected,
} from './webhook-target.ts'

/** Spellings of addresses that are not public. */
const privateHosts = [
  ...['localhost', 'LOCALHOST.', 'hooks.localhost'],
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '10.0.0.1',
  ],
  ...['172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.100.100.200'],
  ...['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ...[
    '255.255.255.255',
    '①②⑦.⓪.⓪.①',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
  ],
  ...['[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]', '[100::1]', '[2001::1]', '[2001:db8::1]', '[2002:7f00:1::]'],
  ...['[3fff::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]'],
]

const otherTargets = [
  ...[
    'http://example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'gopher://example.com',
    'example.com',
    '',
  ],
  ...['https://', 'https://user:pass@example.com', 'https://user@example.com', 'javascript:alert(1)'],
]

describe('parseTarget', () => {
  test.for(privateHosts)('error: https://%s', (host) => {
    expect(() => parseTarget(`https://${host}/hook`, { isLocal: false })).toThrow(TargetRejected)
  })
  test.for(otherTargets)('error: %j', (target) => {
    expect(() => parseTarget(target, { isLocal: false })).toThrow(TargetRejected)
  })
  test.for(['https://example.com/a?b=c', 'https://93.184.216.34', 'https://[2606:4700::1111]:8443/'])(
    'default: %s',
    (target) => {
      expect(parseTarget(target, { isLocal: false }).href).toBe(new URL(target).href)
    },
  )
  test('behavior: with local networks only, private addresses and http are allowed', () => {
    expect(parseTarget('http://127.0.0.1:3001/hook', { isLocal: true }).port).toBe('3001')
    expect(() => parseTarget('ftp://127.0.0.1', { isLocal: true })).toThrow(TargetRejected)
  })
})

test.for([
  ...[
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '2606:4700::1111',
  ],
])('behavior: %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

describe('names', () => {
  /** A resolver that returns the given addresses, with the interface of the system's resolver. */
  const resolving = (...addresses: string[]) => resolvingWith({ isLocal: false }, ...addresses)
  const resolvingWith = (policy: TargetPolicy, ...addresses: string[]) =>
    lookupTarget(policy, ((_name: string, _options: object, callback: (...given: unknown[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as Parameters<typeof lookupTarget>[1])
  const ask = (lookup: ReturnType<typeof resolving>, all: boolean) =>
    new Promise<unknown>((resolve, reject) =>
      lookup('hook.example', { all }, (error, address) => (error ? reject(error) : resolve(address))),
    )

  test('error: a name that resolves to at least one private address is refused', async () => {
    for (const host of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '::1',
      'fd00:ec2::254',
      '::ffff:10.0.0.1',
    ]) {
      await expect(ask(resolving(host), true)).rejects.toThrow(TargetRejected)
      await expect(ask(resolving('8.8.8.8', host), false)).rejects.toThrow(TargetRejected)
    }
  })

  test('behavior: a named private range can be reached, and nothing beside it', async () => {
    const ranges = ['10.1.0.0/16', 'fd12:3456::/32'].flatMap((range) => parsePrivateRange(range) ?? [])
    const policy = { isLocal: false, privateRanges: toBlockList(ranges) }
    expect(parseTarget('https://10.1.2.3/hook', policy).hostname).toBe('10.1.2.3')
    expect(parseTarget('https://[fd12:3456::1]/hook', policy).port).toBe('')
    for (const target of [
      'http://10.1.2.3/',
      'https://10.2.0.1/',
      'https://localhost/',
      'https://[fd13::1]/',
    ])
      expect(() => parseTarget(target, policy)).toThrow(TargetRejected)
    expect(await ask(resolvingWith(policy, '10.1.2.3', '8.8.8.8'), false)).toBe('10.1.2.3')
    // A name that resolves to something else by now, or to both.
    for (const address of ['10.2.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:10.2.0.1'])
      await expect(ask(resolvingWith(policy, '10.1.2.3', address), true)).rejects.toThrow(TargetRejected)
  })

  test('behavior: a public address is returned in the requested form', async () => {
    expect(await ask(resolving('8.8.8.8'), false)).toBe('8.8.8.8')
    expect(await ask(resolving('8.8.8.8'), true)).toEqual([{ address: '8.8.8.8', family: 4 }])
  })

  test('behavior: names of this machine are refused on delivery', async () => {
    const request = { headers: {}, body: '{}' }
    const answer = await postWebhook({ url: 'https://localhost/', ...request }, { isLocal: false })
    expect(answer).toMatchObject({ status: null, text: expect.stringContaining('public internet') })
    reportFigure(24, 'SSRF targets tried', privateHosts.length + otherTargets.length + 13)
  })
})

describe('postWebhook', () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (request.url === '/redirect') return response.writeHead(307, { location: '/elsewhere' }).end('moved')
    if (request.url === '/long') return response.end('\0x'.repeat(100_000))
    if (request.url === '/cut') {
      response.writeHead(200)
      response.write('so')
      return setTimeout(() => response.destroy(), 10)
    }
    response.writeHead(204).end()
  })
  let url: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  const post = (path: string, isLocal = true) =>
    postWebhook({ url: `${url}${path}`, headers: {}, body: '{}' }, { isLocal })

  test('default: a delivery is a POST to the path of the endpoint', async () => {
    expect(await post('/hook')).toEqual({ status: 204, text: '' })
    expect(seen).toEqual(['POST /hook'])
  })

  test('behavior: a redirect is not followed', async () => {
    seen.length = 0
    expect(await post('/redirect')).toEqual({ status: 307, text: 'moved' })
    expect(seen).toEqual(['POST /redirect'])
  })

  test('behavior: the start of a long answer is kept without characters that a database cannot store', async () => {
    expect(await post('/long')).toEqual({ status: 200, text: 'x'.repeat(250) })
  })

  test('behavior: a truncated answer keeps its status', async () => {
    expect(await post('/cut')).toMatchObject({ status: 200 })
  })

  test('error: nothing listens or the target is refused', async () => {
    const closed = await postWebhook({ url: 'http://127.0.0.1:1/', headers: {}, body: '' }, { isLocal: true })
    expect(closed).toMatchObject({ status: null, text: expect.stringContaining('ECONNREFUSED') })
    seen.length = 0
    expect(await post('/hook', false)).toMatchObject({ status: null })
    expect(seen).toEqual([])
  })

  test('behavior: the connection goes to the resolved address', async () => {
    const { port } = server.address() as AddressInfo
    let lookups = 0
    const answer = await postWebhook(
      { url: `http://hook.example:${port}/pinned`, headers: {}, body: '' },
      {
        isLocal: true,
        lookup: (_name, options, callback) => {
          lookups++
          const found = { address: lookups === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }
          if (options.all) callback(null, [found])
          else callback(null, found.address, found.family)
        },
      },
    )
    expect([answer.status, lookups]).toEqual([204, 1])
  })
})
