export { type ImitatedProvider, type ImitatedProviderName, imitatedProviders } from './imitated-providers.ts'
export {
  absurdFees,
  absurdGas,
  boundedLogs,
  futureBlock,
  noLogs,
  otherReceipt,
  otherStatus,
  staleBlock,
  wrongChain,
} from './lies.ts'
export { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts'
export {
  headerNotFound,
  ignoredOverrides,
  laggingNode,
  lateReceipts,
  limitedBatches,
  limitedBodies,
  limitedLogs,
  limitedNames,
  type Refusal,
  rateLimit,
  refusedOverrides,
  withoutMethod,
  withoutTag,
} from './providers.ts'
export { type RpcProxy, startRpcProxy, type Traffic } from './rpc-proxy.ts'
export type { RpcFault, RpcRequest, RpcRule } from './rpc-rule.ts'
export type { TcpFault, TcpTarget } from './tcp-fault.ts'
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
