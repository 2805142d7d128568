import { zeroAddress } from 'viem'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { ask, postJson } from '../http-service.ts'
import { createWallet } from '../idempotency/wallets.ts'
import { startPasskeyService } from '../passkeys/passkey-service.ts'

const page = 'https://app.example'

/** Starts a service with a publishable key, behind a proxy that names the addresses of callers. */
export async function startPublishableService(environment: Record<string, string> = {}) {
  await using started = new AsyncDisposableStack()
  const service = started.use(
    await startPasskeyService({
      environment: {
        API_KEYS: 'server:a-secret-of-32-characters-xxxxxx',
        TRUST_PROXY: '1',
        ...environment,
      },
      headers: { 'x-api-key': 'a-secret-of-32-characters-xxxxxx' },
      settings: { accountKinds: ['safe', 'eip7702'] },
    }),
  )
  const key = { kind: 'publishable', name: 'app', origins: [page] } as const
  const apiKey = await createApiKey(service.database, key, new Date())
  const path = '/smart-account/transaction'

  /** A caller with the publishable key. */
  const from = (address: string, more: Record<string, string> = {}) => {
    const headers = { 'x-api-key': apiKey.key, origin: page, 'x-forwarded-for': address, ...more }
    const post = (to: string, body: object) => postJson(`${service.service.url}${to}`, body, headers)
    return {
      address,
      post,
      get: (to: string) => ask(`${service.service.url}${to}`, { headers }),
      /** Opens a stream. */
      open: (to: string, signal: AbortSignal) => fetch(`${service.service.url}${to}`, { headers, signal }),
      build: (walletAddress: string, value: number, request: object = {}) =>
        post(`${path}/build`, {
          network: '31337',
          walletAddress,
          transactionDetails: [
            { encodedData: '0x', targetContractAddress: walletAddress, value: `${value}` },
          ],
          ...request,
        }),
      submit: (body: object) => post(`${path}/submit`, body),
      /** Builds for a passkey. */
      options: ({ username, value }: { username: string; value: number }) =>
        post('/v3/webauthn/transaction/generate-options', {
          username,
          network: '31337',
          transactionDetails: [{ encodedData: '0x', targetContractAddress: zeroAddress, value: `${value}` }],
        }),
    }
  }
  const disposables = started.move()
  return {
    ...service,
    from,
    createWallet: () => createWallet(service),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  }
}

export type PublishableService = Awaited<ReturnType<typeof startPublishableService>>
export type Visitor = ReturnType<PublishableService['from']>
