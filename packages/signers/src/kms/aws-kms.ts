import { hexToBytes } from 'viem'
import { fromDer, pointOfSpki } from './der.ts'
import { failedWith, type Kms, type KmsSettings, unusable, within } from './kms-service.ts'
import { optionalPackage } from './optional-package.ts'

/**
 * AWS KMS, by the SDK: it finds the credentials of an instance, a task or a pod, and the region of the environment. A key's ARN
 * names its own region. `Sign` with ECDSA_SHA_256 takes a digest of any hash of 32 bytes.
 */
export async function openAwsKms({ timeout, endpoint }: KmsSettings): Promise<Kms> {
  const { GetPublicKeyCommand, KMSClient, SignCommand } = await optionalPackage(
    '@aws-sdk/client-kms',
    () => import('@aws-sdk/client-kms'),
  )
  type Client = InstanceType<typeof KMSClient>
  const clients = new Map<string, Client>()
  function clientOf(id: string): Client {
    const region = /^arn:[\w-]+:kms:([\w-]+):/.exec(id)?.[1] ?? ''
    const known = clients.get(region)
    if (known) return known
    const client = new KMSClient({
      ...(region !== '' && { region }),
      ...(endpoint !== undefined && { endpoint }),
      maxAttempts: 2,
      requestHandler: { connectionTimeout: timeout, requestTimeout: timeout, httpsAgent: { maxSockets: 64 } },
    })
    clients.set(region, client)
    return client
  }
  const request = async <T>(
    send: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    const abortSignal = AbortSignal.timeout(timeout)
    try {
      return await within(send({ abortSignal }), abortSignal)
    } catch (error) {
      throw failedWith(statusOf(error), error)
    }
  }
  return {
    async publicKey(id) {
      const { PublicKey, KeyId = '' } = await request((options) =>
        clientOf(id).send(new GetPublicKeyCommand({ KeyId: id }), options),
      )
      const point = PublicKey && pointOfSpki(PublicKey)
      // An ARN ends with the id.
      if (KeyId !== id && !KeyId.endsWith(`/${id}`)) throw unusable(`AWS KMS' answer is not about ${id}`)
      if (point) return point
      throw unusable(`${id} is no key of secp256k1`)
    },
    async sign(id, digest) {
      const { Signature } = await request((options) =>
        clientOf(id).send(
          new SignCommand({
            ...{ KeyId: id, Message: hexToBytes(digest) },
            ...{ MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' },
          }),
          options,
        ),
      )
      const signature = Signature && fromDer(Signature)
      if (signature) return signature
      throw unusable("AWS KMS' answer is not a signature")
    },
  }
}

/** AWS answers throttling with 400 and its name (KMS API Reference, "Common Errors"). */
const busy = [
  'ThrottlingException',
  'LimitExceededException',
  'KMSInternalException',
  'DependencyTimeoutException',
]

/** @returns undefined if there was no answer, or there are no credentials yet */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if (busy.includes(error.name) || error.name === 'CredentialsProviderError') return undefined
  const metadata: unknown = Reflect.get(error, '$metadata')
  const status: unknown = Reflect.get(Object(metadata), 'httpStatusCode')
  return typeof status === 'number' ? status : undefined
}
