// @promise 11 16
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, askRaw, type HttpService, postJson, startHttpService } from '../../../test/http-service.ts'

let service: HttpService
let url: string
beforeAll(async () => {
  service = await startHttpService()
  url = service.url
})
afterAll(() => service[Symbol.asyncDispose]())

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const createPath = '/smart-account/create'
const submitPath = '/smart-account/transaction/submit'

describe('routes', () => {
  test('default: a call returns JSON that is not cached', async () => {
    const { status, body, headers } = await postJson(`${url}${createPath}`, { eoaAddress: owner })
    expect(status).toBe(200)
    expect(body.wallet.eoa_address).toBe(owner)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test.each(['/nothing', '/user/', '/USER', '/networks/x', '//user', '/trpcx'])(
    'error: UNKNOWN_ROUTE at %s',
    async (path) => {
      const { status, body } = await ask(url + path)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'UNKNOWN_ROUTE' })
    },
  )

  test('error: METHOD_NOT_ALLOWED names the allowed methods', async () => {
    const read = await ask(`${url}/user`, { method: 'DELETE' })
    expect({ status: read.status, code: read.body.code, allow: read.headers.get('allow') }).toEqual({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      allow: 'GET, HEAD, OPTIONS',
    })
    const { status, headers, body } = await ask(url + createPath)
    expect({ status, allow: headers.get('allow'), message: body.message }).toEqual({
      status: 405,
      allow: 'POST, OPTIONS',
      message: 'This path does not support GET, but POST, OPTIONS.',
    })
  })

  test('behavior: a wrong method is 405 at an endpoint with fixed statuses too', async () => {
    const { status, body, headers } = await ask(`${url}/v3/smartbalance/getquote`)
    expect({ status, code: body.code, allow: headers.get('allow') }).toEqual({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      allow: 'POST, OPTIONS',
    })
  })

  test('behavior: HEAD answers like GET without the body, and OPTIONS names the methods', async () => {
    const head = await ask(`${url}/networks`, { method: 'HEAD' })
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
    const options = await ask(`${url}/networks`, { method: 'OPTIONS' })
    expect({ status: options.status, allow: options.headers.get('allow') }).toEqual({
      status: 204,
      allow: 'GET, HEAD, OPTIONS',
    })
    expect(await askRaw(`${url}/networks`, 'TRACE')).toBe(405)
  })

  test('behavior: a request may have an absolute target (RFC 9112 §3.2.2)', async () => {
    expect(await askRaw(url, 'GET', 'http://lanyard.example/networks?any=1')).toBe(200)
    expect(await askRaw(url, 'GET', 'http://lanyard.example/nothing')).toBe(404)
  })
})

describe('owners', () => {
  /** Answers the address of the owner's account. */
  const accountOf = async (eoaAddress: string): Promise<string> =>
    (await postJson(url + createPath, { eoaAddress })).body.wallet.scw_address

  test.each([
    ['the zero address', async () => `0x${'0'.repeat(40)}`],
    ["the end of Safe's list of owners", async () => `0x${'0'.repeat(39)}1`],
    ['a smart account', () => accountOf(owner)],
  ])('error: INVALID_INPUT for an owner without a key: %s', async (_, address) => {
    const unownable = await address()
    const created = await postJson(url + createPath, { eoaAddress: unownable })
    expect({ status: created.status, path: created.body.issues?.[0].path }).toEqual({
      status: 400,
      path: 'eoaAddress',
    })
    const added = await postJson(`${url}/smart-account/owner/add`, {
      walletAddress: await accountOf(owner),
      ownerAddress: unownable,
    })
    expect({ status: added.status, path: added.body.issues?.[0].path }).toEqual({
      status: 400,
      path: 'ownerAddress',
    })
  })
})

describe('input', () => {
  test('error: INVALID_INPUT names every malformed field', async () => {
    const { status, body } = await postJson(`${url}/smart-account/transaction/gas-fees`, {
      network: 'x',
      walletAddress: owner,
      transactionDetails: [{ encodedData: '0x', targetContractAddress: owner, value: -1 }],
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_INPUT' })
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'network',
      'transactionDetails.0.value',
    ])
  })

  test('error: INVALID_INPUT says what each field takes', async () => {
    const gasFees = await postJson(`${url}/smart-account/transaction/gas-fees`, {
      network: '31337',
      walletAddress: owner,
      transactionDetails: [{ encodedData: '0x', targetContractAddress: owner, value: '1.5' }],
    })
    expect(gasFees.body.issues[0].message).toBe('Expected a decimal string in base units: at most 78 digits')
    const list = await postJson(`${url}/smart-account/transaction/gas-fees`, { transactionDetails: {} })
    expect(list.body.issues).toContainEqual({ path: 'transactionDetails', message: 'Expected an array' })
    const kind = await postJson(url + createPath, { eoaAddress: owner, type: 'kernel' })
    expect(kind.body.issues).toEqual([{ path: 'type', message: 'Expected one of safe, eip7702' }])
  })

  test('behavior: an absent field is reported as required', async () => {
    const { body } = await ask(`${url}/user`)
    expect(body.issues).toEqual([{ path: 'username', message: 'Required' }])
    const empty = await ask(url + createPath, { method: 'POST' })
    expect(empty.body.issues).toEqual([{ path: 'eoaAddress', message: 'Required' }])
  })

  test('error: INVALID_INPUT for a query parameter given twice', async () => {
    const { status, body } = await ask(`${url}/user?username=a&username=b`)
    expect(status).toBe(400)
    expect(body.issues).toEqual([{ path: 'username', message: 'Given more than once' }])
  })

  test('behavior: brackets in a query do not create objects or arrays', async () => {
    const { status, body } = await ask(`${url}/user?username[$ne]=a&username[]=b`)
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ path: 'username', message: 'Required' }],
    })
  })

  test('behavior: a parameter is read only from its declared place', async () => {
    const { body } = await postJson(`${url}${createPath}?eoaAddress=${owner}`, {})
    expect(body.issues[0].path).toBe('eoaAddress')
    const same = await postJson(`${url}${createPath}?eoaAddress=${owner}`, { eoaAddress: owner })
    expect(same.status).toBe(200)
  })

  test('error: INVALID_INPUT if the other place has the same name with another value', async () => {
    const { status, body } = await postJson(`${url}${createPath}?eoaAddress=0x`, { eoaAddress: owner })
    expect({ status, path: body.issues[0].path }).toEqual({ status: 400, path: 'eoaAddress' })
  })

  test('behavior: unknown members are ignored, in both places', async () => {
    const { status } = await postJson(`${url}${createPath}?x=1&x=2`, {
      eoaAddress: owner,
      more: { deep: [1] },
    })
    expect(status).toBe(200)
  })

  test('behavior: keys that could reach a prototype are harmless', async () => {
    const text = `{"eoaAddress":"${owner}","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`
    expect((await postJson(url + createPath, text)).status).toBe(200)
    expect((await ask(`${url}/user?__proto__=x&constructor=y`)).status).toBe(400)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('bodies', () => {
  test.each([['{'], ['{"a":1,}'], ['undefined']])('error: INVALID_JSON for %s', async (text) => {
    const { status, body } = await postJson(url + createPath, text)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_JSON' })
  })

  test.each([['[]'], ['null'], ['"text"'], ['1']])(
    'error: INVALID_INPUT for a body that is %s',
    async (text) => {
      const { status, body } = await postJson(url + createPath, text)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_INPUT' })
    },
  )

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=latin1',
  ])('error: UNSUPPORTED_MEDIA_TYPE for %s', async (type) => {
    const { status, body } = await postJson(url + createPath, { eoaAddress: owner }, { 'content-type': type })
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  test('error: UNSUPPORTED_MEDIA_TYPE for a compressed body, which could be a bomb', async () => {
    const { status } = await postJson(url + createPath, { eoaAddress: owner }, { 'content-encoding': 'gzip' })
    expect(status).toBe(415)
  })

  test('error: PAYLOAD_TOO_LARGE above what the endpoint declares, before anything is read', async () => {
    const just = JSON.stringify({ eoaAddress: owner, x: '' })
    const fill = 32 * 1024 - just.length
    expect((await postJson(url + createPath, { eoaAddress: owner, x: 'a'.repeat(fill) })).status).toBe(200)
    const { status, body } = await postJson(url + createPath, { eoaAddress: owner, x: 'a'.repeat(fill + 1) })
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    expect(body.message).toContain('32 KiB')
    const parts = new Response(JSON.stringify({ eoaAddress: owner, x: 'a'.repeat(fill + 1) })).body
    const chunked = await fetch(url + createPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: parts,
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
    // Calls need more.
    const call = JSON.stringify({ walletAddress: owner, network: '1', x: 'a'.repeat(250_000) })
    expect((await postJson(`${url}/smart-account/transaction/gas-fees`, call)).status).not.toBe(413)
  })

  test('error: INVALID_INPUT for a body with more values than a short one needs', async () => {
    const of = (count: number) => ({ eoaAddress: owner, x: Array.from({ length: count }, () => 0) })
    expect((await postJson(url + createPath, of(1_000))).status).toBe(200)
    const { status, body } = await postJson(url + createPath, of(1_100))
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_INPUT' })
    expect(body.issues).toMatchObject([
      { message: 'A body has at most 1024 values here, and 16384 bytes outside of texts' },
    ])
    const large = await postJson(`${url}/smart-account/transaction/gas-fees`, of(4_100))
    expect(large.body.issues).toMatchObject([
      { message: 'A body has at most 4096 values here, and 65536 bytes outside of texts' },
    ])
  })

  test('error: INVALID_INPUT for a body that is nested too deeply', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const text = `{"signature":"0x","walletAddress":"${owner}","userOp":{"nonce":"1","x":${deep}}}`
    const { status, body } = await postJson(url + submitPath, text)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_INPUT' })
  })

  test('behavior: the answer to a body with a thousand mistakes lists only a few', async () => {
    const details = Array.from({ length: 10_000 }, () => 1)
    const { status, text } = await postJson(`${url}/smart-account/transaction/gas-fees`, {
      network: '1',
      walletAddress: owner,
      transactionDetails: details,
    })
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(4_000)
  })
})

describe('headers', () => {
  test('behavior: a valid request id is kept in the header, the body and the log', async () => {
    const { headers, body } = await ask(`${url}/user`, { headers: { 'x-request-id': 'order-17' } })
    expect([headers.get('x-request-id'), body.requestId]).toEqual(['order-17', 'order-17'])
    expect(service.logged.some(({ requestId, status }) => requestId === 'order-17' && status === 400)).toBe(
      true,
    )
  })

  test('behavior: an invalid request id is replaced', async () => {
    const { headers } = await ask(`${url}/user`, { headers: { 'x-request-id': 'a b{}' } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('behavior: answers have a strict content security policy and do not name the software', async () => {
    const { headers } = await ask(`${url}/networks`)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  test('behavior: the reference page has no inline script and loads only from the service', async () => {
    const page = await ask(`${url}/docs/reference`)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)/)
    const sources = [...page.text.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="([^"]+)"/g)].map(
      ([, source]) => source,
    )
    // Node's fetch fails if the connection of a large packed answer ends while it still unpacks (undici's assert(!this.paused)).
    const keptAlive = { headers: { connection: 'keep-alive' } }
    for (const source of sources.filter((one) => !one?.startsWith('data:')))
      expect((await ask(url + source, keptAlive)).status).toBe(200)
  })

  test('behavior: no origin may read answers unless configured', async () => {
    const { headers } = await ask(`${url}/networks`, { headers: { origin: 'https://evil.example' } })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('health', () => {
  test('behavior: 503 with the normal body when no network answers', async () => {
    await using other = await startHttpService()
    await other.node.stop()
    const { status, body } = await ask(`${other.url}/health`)
    expect(status).toBe(503)
    expect(body).toMatchObject({
      status: 'down',
      checks: { database: 'up', networks: [{ status: 'down', block: null }] },
    })
  })

  test('behavior: 503 without the database, with an error for the calls that need it', async () => {
    await using other = await startHttpService()
    await other.database.close()
    const { status, body } = await ask(`${other.url}/health`)
    expect({ status, checks: body.checks.database }).toEqual({ status: 503, checks: 'down' })
    const user = await ask(`${other.url}/user?username=alice`)
    expect({ status: user.status, code: user.body.code }).toEqual({
      status: 503,
      code: 'DATABASE_UNAVAILABLE',
    })
  })
})
