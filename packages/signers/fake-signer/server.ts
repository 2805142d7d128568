import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Hex, keccak256, serializeSignature } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { z } from 'zod'

export interface FakeSignerOptions {
  readonly keys: readonly Hex[]
  readonly host?: string | undefined
  /** 0: any free port. */
  readonly port?: number | undefined
  /** Required to request signatures; absent: anyone who can connect may request them. */
  readonly token?: string | undefined
  /** PEM. With `ca`, only clients with a certificate of that authority may connect. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string | undefined } | undefined
  /**
   * Called before each signature with the data to sign: a place for rules. If it throws, the request is
   * rejected.
   */
  readonly beforeSigning?:
    | ((request: { readonly publicKey: Hex; readonly data: Hex }) => void | Promise<void>)
    | undefined
}

export interface FakeSigner extends AsyncDisposable {
  readonly url: string
  close(): Promise<void>
}

const largestBody = 1_000_000

const signingBody = z.object({
  data: z.templateLiteral(['0x', z.string()]).refine((data) => /^0x([0-9a-f]{2})*$/i.test(data)),
})

/**
 * A remote signer with Web3Signer's eth1 API, small enough to read in one go: for tests, for trying things
 * out, and as a reference for putting the same API in front of a KMS. It keeps its keys in memory.
 */
export async function startFakeSigner(options: FakeSignerOptions): Promise<FakeSigner> {
  const { keys, host = '127.0.0.1', port = 0, token, tls, beforeSigning } = options
  const byPublicKey = new Map(keys.map((key) => [publicKeyOf(key), key]))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request
    if (method === 'GET' && url === '/upcheck') return reply(response, 200, 'OK')
    if (token !== undefined && !isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return reply(response, 401, 'Unauthorized')
    }
    if (method === 'GET' && url === '/api/v1/eth1/publicKeys') {
      return reply(response, 200, JSON.stringify([...byPublicKey.keys()]), 'application/json')
    }
    const [, identifier] = /^\/api\/v1\/eth1\/sign\/(?:0x)?([0-9a-fA-F]{128})$/.exec(url) ?? []
    if (method !== 'POST' || identifier === undefined) return reply(response, 404, 'Not found')
    const publicKey: Hex = `0x${identifier.toLowerCase()}`
    const privateKey = byPublicKey.get(publicKey)
    if (!privateKey) return reply(response, 404, 'Public Key not found')
    const data = await readData(request)
    if (data === undefined) return reply(response, 400, 'Bad request format')
    await beforeSigning?.({ publicKey, data })
    reply(response, 200, serializeSignature(await sign({ hash: keccak256(data), privateKey })))
  }

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response).catch(() => reply(response, 500, 'Internal error'))
  const server = tls
    ? createHttpsServer({ ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: true }, listener)
    : createHttpServer(listener)
  server.listen(port, host)
  await once(server, 'listening')
  const { port: actualPort } = server.address() as AddressInfo // it listens on TCP
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `${tls ? 'https' : 'http'}://${host === '127.0.0.1' ? 'localhost' : host}:${actualPort}`,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Uncompressed, without the leading 04: Web3Signer's identifier of a key. */
export const publicKeyOf = (privateKey: Hex): Hex => `0x${privateKeyToAccount(privateKey).publicKey.slice(4)}`

function reply(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` }).end(text)
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

async function readData(request: IncomingMessage): Promise<Hex | undefined> {
  request.setEncoding('utf8')
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > largestBody) return undefined
  }
  try {
    return signingBody.parse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
