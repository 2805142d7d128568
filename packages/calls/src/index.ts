export { type AssetFunction, findAssetFunction } from './asset-functions.ts'
export { type CallNetwork, type SmartBalance, smartBalanceDecimals, toCallNetwork } from './call-network.ts'
export { type Currency, nativeOf } from './currency.ts'
export { decodeArguments } from './decode-arguments.ts'
export { type CallContext, type CallDescription, callContext, describeCall } from './describe-call.ts'
export {
  addressOfKey,
  describeSessionCall,
  removalStep,
  type SessionCall,
  type SessionSetUp,
  shortKey,
} from './describe-session-call.ts'
export { describeSmartBalanceCall, type SmartBalanceCall } from './describe-smart-balance-call.ts'
export { isSameCall, tryDecode } from './is-same-call.ts'
export { knownModule } from './known-module.ts'
export { serves, summarizeCalls, usesOrder } from './summarize-call.ts'
