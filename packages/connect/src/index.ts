export type { ProviderInfo } from './announce-provider.ts'
export { ConnectError, type UnreachableReason } from './connect-error.ts'
export {
  type ConnectChain,
  type CreateLanyardProviderParameters,
  createLanyardProvider,
  type LanyardProvider,
  type ProviderEvents,
  type RequestArguments,
} from './create-lanyard-provider.ts'
export { errorCodes } from './protocol.ts'
