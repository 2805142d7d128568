export { entryPointAbi, packedUserOperationStruct } from './abis/entry-point.ts'
export { multiSendAbi, safeAbi, safeProxyFactoryAbi } from './abis/safe.ts'
export {
  safe4337ModuleAbi,
  safeModuleSetupAbi,
  safeWebAuthnSharedSignerAbi,
  safeWebAuthnSignerFactoryAbi,
} from './abis/safe-modules.ts'
export { attestorSetAbi, attestorSetBytecode } from './generated/AttestorSet.ts'
export { devTokenAbi, devTokenBytecode } from './generated/DevToken.ts'
export { operationSimulatorAbi, operationSimulatorDeployedBytecode } from './generated/OperationSimulator.ts'
export { smartBalanceAbi, smartBalanceBytecode } from './generated/SmartBalance.ts'
export { smartBalanceDeployerAbi, smartBalanceDeployerBytecode } from './generated/SmartBalanceDeployer.ts'
export { entryPointCodeAddress } from './operation-simulator.ts'
