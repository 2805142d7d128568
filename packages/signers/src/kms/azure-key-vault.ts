import { bytesToHex, hexToBytes } from 'viem'
import { z } from 'zod'
import { requestKms } from './kms-requests.ts'
import { type Kms, type KmsSettings, unusable } from './kms-service.ts'
import { optionalPackage } from './optional-package.ts'

/** Of Key Vault and Managed HSM: "Sign", "Get Key". */
const version = 'api-version=7.4'

const signed = z.object({ value: z.base64url() })
const described = z.object({
  key: z.object({
    ...{ kid: z.string(), crv: z.enum(['P-256K', 'SECP256K1']) },
    ...{ x: z.base64url(), y: z.base64url() },
  }),
})

/**
 * Azure Key Vault and Managed HSM, by their REST API; @azure/identity finds the credentials. ES256K takes a digest of 32 bytes
 * and answers r ‖ s (RFC 8812 §3.2). A key identifier is the address of the key, so `endpoint` replaces its origin.
 */
export async function openAzureKeyVault({ timeout, endpoint }: KmsSettings): Promise<Kms> {
  const { DefaultAzureCredential } = await optionalPackage('@azure/identity', () => import('@azure/identity'))
  const credential = new DefaultAzureCredential()
  const request = (id: string, path: string, body?: object) => {
    const { host, pathname } = new URL(id)
    // `https://<vault>.vault.azure.net`, `.managedhsm.azure.net` and those of other clouds: the scope follows from the host.
    const scope = `https://${host.split('.').slice(1).join('.')}/.default`
    const base = (endpoint ?? `https://${host}`).replace(/\/$/, '')
    return requestKms({
      ...{ url: `${base}${pathname}${path}?${version}`, timeout },
      ...(body && { body }),
      token: async () => (await credential.getToken(scope)).token,
    })
  }
  return {
    async publicKey(id) {
      const answer = described.safeParse(await request(id, ''))
      if (!answer.success) throw unusable(`${id} is no key of the curve P-256K`)
      const { kid, x, y } = answer.data.key
      if (kid.toLowerCase() !== id.toLowerCase()) throw unusable(`Key Vault's answer is not about ${id}`)
      return bytesToHex(new Uint8Array([4, ...toBytes(x), ...toBytes(y)]))
    },
    async sign(id, digest) {
      const value = Buffer.from(hexToBytes(digest)).toString('base64url')
      const answer = signed.safeParse(await request(id, '/sign', { alg: 'ES256K', value }))
      if (answer.success) return bytesToHex(Buffer.from(answer.data.value, 'base64url'))
      throw unusable("Key Vault's answer is not a signature")
    },
  }
}

/** A coordinate has 32 bytes; some keys come with a leading zero byte. */
const toBytes = (text: string) => {
  const bytes = Buffer.from(text, 'base64url').subarray(-32)
  return Buffer.concat([Buffer.alloc(32 - bytes.length), bytes])
}
