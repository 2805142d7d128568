import type { EndpointInput, endpoints } from '@lanyard/contracts'
import type { SmartAccountBuildResponse, UserOp } from './generated/types.gen.ts'

/** The request to `smartAccount.build`. */
export type BuildRequest = EndpointInput<typeof endpoints.smartAccount.build>

type WithUndefined<T> = { readonly [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] }

/** The response of `smartAccount.build`, over REST or tRPC. None of it is trusted. */
export type Build = WithUndefined<Omit<SmartAccountBuildResponse, 'userOp'>> & {
  readonly userOp: WithUndefined<UserOp>
}
