import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesToHex, type Hex, hexToBytes, numberToHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { crc32c } from '../src/kms/crc32c.ts'

/**
 * The three key services as their references document them, each with one key. They answer on loopback and check the request:
 *
 * - AWS KMS API Reference: `Sign`, `GetPublicKey` (JSON 1.1, `X-Amz-Target: TrentService.…`, Signature Version 4).
 * - Cloud KMS REST v1: `cryptoKeyVersions.asymmetricSign`, `cryptoKeyVersions.getPublicKey`; tokens of a
 *   machine's metadata server.
 * - Key Vault REST 7.4: `Sign - sign`, `Get Key - get key`; tokens of the managed identity of App Service.
 */
export interface FakeKms extends AsyncDisposable {
  readonly url: string
  /** The digests that were signed. */
  readonly signed: Hex[]
  /** Called before each answer; what it returns is answered instead. */
  behave: (path: string) => Answer | 'hang' | undefined
}

interface Answer {
  readonly status: number
  readonly body?: object
}

export const ids = {
  'aws-kms': 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  'gcp-kms': 'projects/lanyard/locations/europe-west3/keyRings/relayers/cryptoKeys/one/cryptoKeyVersions/1',
  'azure-kv': 'https://lanyard.vault.azure.net/keys/relayer/78deebed173b48e48f55abf87ed4cf71',
} as const

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** What the service says about its public key. Default: the truth. */
interface Said {
  readonly point?: Hex
  /** The key to which it belongs. */
  readonly id?: string
}

export async function startFakeKms(privateKey: Hex, said: Said = {}): Promise<FakeKms> {
  const point = hexToBytes(said.point ?? privateKeyToAccount(privateKey).publicKey)
  const spki = Buffer.concat([Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex'), point])
  const signed: Hex[] = []
  const fake = { behave: (_path: string): Answer | 'hang' | undefined => undefined }

  /** Every second signature has its s in the upper half, as key services return it. */
  async function rs(digest: Hex): Promise<readonly [bigint, bigint]> {
    signed.push(digest)
    const { r, s } = await sign({ hash: digest, privateKey })
    return [BigInt(r), signed.length % 2 === 0 ? BigInt(s) : curveOrder - BigInt(s)]
  }
  const der = ([r, s]: readonly [bigint, bigint]) => {
    const integer = (value: bigint) => {
      const digits = value.toString(16)
      const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
      const isNegative = (bytes[0] ?? 0) >= 0x80
      return Buffer.concat([
        Buffer.of(2, bytes.length + (isNegative ? 1 : 0)),
        ...(isNegative ? [Buffer.of(0)] : []),
        bytes,
      ])
    }
    const both = Buffer.concat([integer(r), integer(s)])
    return Buffer.concat([Buffer.of(0x30, both.length), both])
  }

  async function aws(request: IncomingMessage, body: Record<string, string>): Promise<Answer> {
    const { authorization = '' } = request.headers
    if (!/^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/eu-central-1\/kms\/aws4_request, /.test(authorization)) {
      return { status: 400, body: { __type: 'IncompleteSignatureException' } }
    }
    if (body.KeyId !== ids['aws-kms']) return { status: 400, body: { __type: 'NotFoundException' } }
    const [, action] = String(request.headers['x-amz-target']).split('.')
    if (action === 'GetPublicKey')
      return {
        status: 200,
        body: {
          KeyId: said.id ?? body.KeyId,
          KeySpec: 'ECC_SECG_P256K1',
          PublicKey: spki.toString('base64'),
        },
      }
    if (action !== 'Sign' || body.MessageType !== 'DIGEST' || body.SigningAlgorithm !== 'ECDSA_SHA_256')
      return { status: 400, body: { __type: 'ValidationException' } }
    const signature = der(await rs(bytesToHex(Buffer.from(body.Message ?? '', 'base64'))))
    return {
      status: 200,
      body: { KeyId: body.KeyId, Signature: signature.toString('base64'), SigningAlgorithm: 'ECDSA_SHA_256' },
    }
  }

  async function gcp(
    path: string,
    body: { digest?: { sha256: string }; digestCrc32c?: string },
  ): Promise<Answer> {
    if (path === `/v1/${ids['gcp-kms']}/publicKey`) {
      const text = spki
        .toString('base64')
        .match(/.{1,64}/g)
        ?.join('\n')
      const pem = `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`
      return {
        status: 200,
        body: { pem, algorithm: 'EC_SIGN_SECP256K1_SHA256', name: said.id ?? ids['gcp-kms'] },
      }
    }
    if (path !== `/v1/${ids['gcp-kms']}:asymmetricSign` || !body.digest) return { status: 404 }
    const digest = Buffer.from(body.digest.sha256, 'base64')
    if (body.digestCrc32c !== String(crc32c(digest))) return { status: 400 }
    const signature = der(await rs(bytesToHex(digest)))
    return {
      status: 200,
      body: {
        ...{ signature: signature.toString('base64'), signatureCrc32c: String(crc32c(signature)) },
        ...{ verifiedDigestCrc32c: true, name: ids['gcp-kms'], protectionLevel: 'HSM' },
      },
    }
  }

  async function azure(path: string, body: { alg?: string; value?: string }): Promise<Answer> {
    const { pathname } = new URL(ids['azure-kv'])
    if (path === `${pathname}?api-version=7.4`) {
      const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) =>
        Buffer.from(one).toString('base64url'),
      )
      return {
        status: 200,
        body: { key: { kid: said.id ?? ids['azure-kv'], kty: 'EC-HSM', crv: 'P-256K', x, y } },
      }
    }
    if (path !== `${pathname}/sign?api-version=7.4` || body.alg !== 'ES256K') return { status: 404 }
    const [r, s] = await rs(bytesToHex(Buffer.from(body.value ?? '', 'base64url')))
    const bytes = Buffer.from(
      `${numberToHex(r, { size: 32 }).slice(2)}${numberToHex(s, { size: 32 }).slice(2)}`,
      'hex',
    )
    return { status: 200, body: { kid: ids['azure-kv'], value: bytes.toString('base64url') } }
  }

  async function answer(request: IncomingMessage): Promise<Answer | 'hang'> {
    const path = request.url ?? ''
    let text = ''
    for await (const chunk of request) text += chunk
    if (path.startsWith('/computeMetadata/v1/instance/service-accounts/default/token'))
      return { status: 200, body: { access_token: 'token', expires_in: 3_600, token_type: 'Bearer' } }
    if (path.startsWith('/computeMetadata/')) return { status: 404 }
    if (path.startsWith('/msi/token'))
      return {
        status: 200,
        body: {
          access_token: 'token',
          expires_on: String(Math.floor(Date.now() / 1000) + 86_400),
          token_type: 'Bearer',
        },
      }
    const instead = fake.behave(path)
    if (instead) return instead
    const body = text === '' ? {} : JSON.parse(text)
    if (request.headers['x-amz-target'] !== undefined) return aws(request, body)
    if (request.headers.authorization !== 'Bearer token') return { status: 401 }
    return path.startsWith('/v1/') ? gcp(path, body) : azure(path, body)
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void answer(request).then((given) => {
      if (given === 'hang') return
      response.writeHead(given.status, { 'Content-Type': 'application/json', 'Metadata-Flavor': 'Google' })
      response.end(JSON.stringify(given.body ?? { error: { message: 'no' } }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}`,
    signed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  })
}
