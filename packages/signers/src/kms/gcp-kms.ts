import { createPublicKey } from 'node:crypto'
import { hexToBytes } from 'viem'
import { z } from 'zod'
import { crc32c } from './crc32c.ts'
import { fromDer, pointOfSpki } from './der.ts'
import { requestKms } from './kms-requests.ts'
import { type Kms, type KmsSettings, unusable } from './kms-service.ts'
import { optionalPackage } from './optional-package.ts'

const signed = z.object({
  signature: z.base64(),
  signatureCrc32c: z.coerce.string(),
  verifiedDigestCrc32c: z.literal(true),
  name: z.string(),
})

const described = z.object({
  ...{ pem: z.string(), algorithm: z.literal('EC_SIGN_SECP256K1_SHA256'), name: z.string() },
})

/**
 * Google Cloud KMS, by its REST API (v1, `asymmetricSign`, `getPublicKey`); google-auth-library finds the credentials. The
 * member `sha256` of a digest takes any hash of 32 bytes. Checksums on both ways show what a broken machine between would change
 * (Cloud KMS, "Verify end-to-end data integrity").
 */
export async function openGcpKms({ timeout, endpoint }: KmsSettings): Promise<Kms> {
  const { GoogleAuth } = await optionalPackage('google-auth-library', () => import('google-auth-library'))
  const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloudkms' })
  const base = (endpoint ?? 'https://cloudkms.googleapis.com').replace(/\/$/, '')
  const request = (path: string, body?: object) =>
    requestKms({
      ...{ url: `${base}/v1/${path}`, timeout },
      ...(body && { body }),
      token: async () => (await auth.getAccessToken()) ?? '',
    })
  return {
    async publicKey(id) {
      const answer = described.safeParse(await request(`${id}/publicKey`))
      const point = answer.success && pointOfPem(answer.data.pem)
      if (answer.success && answer.data.name !== id) throw unusable(`Cloud KMS' answer is not about ${id}`)
      if (point) return point
      throw unusable(`${id} is no key with the algorithm EC_SIGN_SECP256K1_SHA256`)
    },
    async sign(id, digest) {
      const bytes = hexToBytes(digest)
      const answer = signed.safeParse(
        await request(`${id}:asymmetricSign`, {
          digest: { sha256: Buffer.from(bytes).toString('base64') },
          digestCrc32c: String(crc32c(bytes)),
        }),
      )
      if (!answer.success) throw unusable("Cloud KMS' answer is not a signature of the digest that was sent")
      const der = Buffer.from(answer.data.signature, 'base64')
      if (String(crc32c(der)) !== answer.data.signatureCrc32c || answer.data.name !== id)
        throw unusable("Cloud KMS' answer arrived damaged, or is of another key")
      const signature = fromDer(der)
      if (signature) return signature
      throw unusable("Cloud KMS' answer is not a signature")
    },
  }
}

function pointOfPem(pem: string) {
  try {
    return pointOfSpki(createPublicKey(pem).export({ format: 'der', type: 'spki' }))
  } catch {
    return undefined
  }
}
