export { entryPointAbi, packedUserOperationStruct } from './abis/entry-point.ts'
export { erc1271Abi } from './abis/erc1271.ts'
export { multiSendAbi, safeAbi, safeProxyFactoryAbi } from './abis/safe.ts'
export {
  safe4337ModuleAbi,
  safeModuleSetupAbi,
  safeWebAuthnSharedSignerAbi,
  safeWebAuthnSignerFactoryAbi,
} from './abis/safe-modules.ts'
export { approvalFunctions } from './approval-functions.ts'
export { batchFunctions } from './batch-functions.ts'
export { CodedError } from './coded-error.ts'
export {
  deterministicDeployer,
  predictAttestorSetAddress,
  predictSmartBalanceAddress,
  smartBalanceDeployerAddress,
} from './deployment/addresses.ts'
export { type DeploymentProgress, type DeployOptions, deploySmartBalance } from './deployment/deploy.ts'
export { DeploymentError, type DeploymentErrorCode } from './deployment/error.ts'
export { type DeploymentPlan, planDeployment } from './deployment/plan.ts'
export { settledNonce } from './deployment/settled-nonce.ts'
export type { DeploymentStep } from './deployment/steps.ts'
export type { DeploymentTarget } from './deployment/target.ts'
export {
  epochsAddress,
  epochsDeployment,
  type OwnershipDeploymentContext,
  ownershipDeployment,
  predictOwnershipAddress,
  predictSessionKeysAddress,
  predictTokenPaymasterAddress,
  type SessionKeysDeploymentContext,
  sessionKeysDeployment,
  type TokenPaymasterDeploymentContext,
  tokenPaymasterDeployment,
} from './deterministic-deployment.ts'
export { attestorSetAbi, attestorSetBytecode } from './generated/AttestorSet.ts'
export { devTokenAbi, devTokenBytecode } from './generated/DevToken.ts'
export { epochsAbi } from './generated/Epochs.ts'
export { operationSimulatorAbi, operationSimulatorDeployedBytecode } from './generated/OperationSimulator.ts'
export { ownershipAbi, ownershipBytecode } from './generated/Ownership.ts'
export { sessionKeysAbi, sessionKeysBytecode } from './generated/SessionKeys.ts'
export { smartBalanceAbi, smartBalanceBytecode } from './generated/SmartBalance.ts'
export { smartBalanceDeployerAbi, smartBalanceDeployerBytecode } from './generated/SmartBalanceDeployer.ts'
export { tokenPaymasterAbi } from './generated/TokenPaymaster.ts'
export { entryPointCodeAddress } from './operation-simulator.ts'
