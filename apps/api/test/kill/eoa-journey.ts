import type { Hex } from 'viem'
import { postJson } from '../http-service.ts'
import type { Journey } from './die-and-retry.ts'

interface EoaJourney {
  /** The path of the build endpoint. */
  readonly path: string
  readonly request: () => Record<string, unknown>
  readonly sign: (hash: Hex) => Promise<Hex>
  /** Extra fields of the submit request. */
  readonly more?: object
}

/** A journey that signs the message of a build and submits the signature. */
export function eoaJourney({ path, request, sign, more }: EoaJourney): Journey {
  const keyed = (key?: string): Record<string, string> =>
    key === undefined ? {} : { 'idempotency-key': key }
  return {
    build: (url, key) => postJson(`${url}${path}`, request(), keyed(key)),
    sign: async ({ messageToSign }) => ({
      walletAddress: request().walletAddress,
      signature: await sign(messageToSign),
      ...more,
    }),
    submit: (url, submission, key) =>
      postJson(`${url}/smart-account/transaction/submit`, submission, keyed(key)),
  }
}
