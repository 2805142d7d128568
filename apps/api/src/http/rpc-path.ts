/** Where each network's JSON-RPC is served: `/rpc/31337`. */
export const rpcPath = '/rpc'

export const isRpcPath = (path: string): boolean => path.startsWith(`${rpcPath}/`)
