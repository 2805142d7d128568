/**
 * Functions that run calls which they get as bytes, in the name of their caller or with its approvals. Whoever may call one
 * of them on a contract may call all of that contract, its approving functions included. No session rule may
 * name them, as with `approval-functions.ts`.
 */
export const batchFunctions = {
  'calls of the contract to itself': [
    'multicall(bytes[])', // OpenZeppelin, Uniswap v3, Morpho
    'multicall(uint256,bytes[])', // Uniswap's SwapRouter02
    'multicall(bytes32,bytes[])',
    'multicall(bytes[],bytes32)',
    'multicall(bytes[],bytes)',
    'multicall(address,bytes[])',
    'multicall((address,bytes,uint256,bool,bytes32)[])', // Morpho's Bundler3
    'tryMulticall(bytes[])',
    'multicallWithNodeCheck(bytes32,bytes[])', // ENS
    'batch(bytes[])',
    'batch(bytes[],bool)', // BoringSolidity
    'batchCall(bytes[])',
    'multiDelegatecall(bytes[])',
    'callBatch(bytes[])',
    'aggregate(bytes[])',
    'multicall((bool,bytes)[])', // Pendle
    'multicall(address,(address,bytes)[])', // Gearbox
    'botMulticall(address,(address,bytes)[])',
  ],
  'calls of others, with what the caller approved for the contract': [
    'aggregate((address,bytes)[])', // Multicall3
    'tryAggregate(bool,(address,bytes)[])',
    'blockAndAggregate((address,bytes)[])',
    'tryBlockAndAggregate(bool,(address,bytes)[])',
    'aggregate3((address,bool,bytes)[])',
    'aggregate3Value((address,bool,uint256,bytes)[])',
    'multicall(address[],bytes[])',
    'multicall((address,bytes)[])',
  ],
  'lists of commands': [
    'execute(bytes,bytes[])', // Uniswap's Universal Router
    'execute(bytes,bytes[],uint256)',
    'execute(bytes32,bytes)', // ERC-7579
    'execute((address,address,uint256),bytes[],bytes32)', // 0x's Settler
    'invoke(bytes32[],bytes[])', // Compound III's bulker
    'cast(string[],bytes[],address)', // Instadapp
    'modifyLiquidities(bytes,uint256)', // Uniswap v4
    'modifyLiquiditiesWithoutUnlock(bytes,bytes[])',
    'unlock(bytes)',
    'lock(bytes)',
    'cook(uint8[],uint256[],bytes[])', // Abracadabra
    'permitBatchAndCall((address,address,uint256,uint256,uint256)[],bytes[],((address,uint160,uint48,uint48)[],address,uint256),bytes,bytes[])', // Balancer v3
    'operate((address,uint256)[],(uint8,uint256,(bool,uint8,uint8,uint256),uint256,uint256,address,uint256,bytes)[])', // dYdX
  ],
  'calls in the name of an account': [
    'batch((address,address,uint256,bytes)[])', // Euler's EVC
    'call(address,address,uint256,bytes)',
    'controlCollateral(address,address,uint256,bytes)',
    'batchCall((uint32,address,bytes)[])', // Superfluid
    'forwardBatchCall((uint32,address,bytes)[])',
    'callAgreement(address,bytes,bytes)',
    'execute(address,bytes)', // DSProxy
    'execute(address,uint256,bytes)',
    'execute((address,uint256,bytes)[])',
    'executeBatch((address,uint256,bytes)[])',
    'executeBatch(address[],uint256[],bytes[])',
    'executeFromExecutor(bytes32,bytes)', // ERC-7579
    'execute(address,uint256,bytes,uint8)', // ERC-6551
    'executeBatch((address,uint256,bytes,uint8)[])',
    'executeCall(address,uint256,bytes)',
    'execute(uint256,address,uint256,bytes)', // ERC-725
    'executeBatch(uint256[],address[],uint256[],bytes[])',
    'execute(bytes32,(address,uint256,bytes)[],uint256)', // Aragon
    // Another Safe, which the account owns or of which it is a module.
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    'execTransactionFromModule(address,uint256,bytes,uint8)',
    'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)',
    'exec(address,address,uint256,bytes)', // 0x's AllowanceHolder
  ],
} as const satisfies Record<string, readonly string[]>
