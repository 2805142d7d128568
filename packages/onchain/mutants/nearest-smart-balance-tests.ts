/** Tests of the functions that a file is about, and the attacks across functions. */
const functionsOf: Readonly<Record<string, string>> = {
  'AttestorSet.sol': 'AttestorSet',
  'SmartBalanceDeployer.sol': 'SmartBalanceDeployer',
  'smart-balance/Administration.sol': 'setOutflowCap,applyVerifier,roles,withdrawLiquidity',
  'smart-balance/Claims.sol': 'claim,postOp,validatePaymasterUserOp,attacks',
  'smart-balance/Constants.sol': 'finalizeExit,applyVerifier,attacks',
  'smart-balance/PermanentOwner.sol': 'roles',
  'smart-balance/Exits.sol': 'requestExit,cancelExit,finalizeExit,attacks',
  'smart-balance/Settlement.sol': 'settle,settleBatch,attacks',
  'smart-balance/Signers.sol': 'removeSigner,attacks',
  'smart-balance/UserCheck.sol': 'settle,attacks',
  'smart-balance/Vault.sol': 'depositFor,withdraw,claim,attacks',
  'smart-balance/Withdrawals.sol': 'withdraw,attacks',
  'smart-balance/libraries/Order.sol': 'settle,validatePaymasterUserOp,attacks',
  'smart-balance/libraries/OwnerSignature.sol': 'ownerSignature,attacks',
  'smart-balance/libraries/PaymasterData.sol': 'validatePaymasterUserOp,attacks',
  'smart-balance/libraries/Proposal.sol': 'AttestorSet,applyVerifier',
  'smart-balance/libraries/SafeOp.sol': 'settle,attacks',
}

/** As forge's --match-path; undefined for a file that has none of its own. */
export function nearestSmartBalanceTests(file: string): string | undefined {
  const names = functionsOf[file]
  if (names === undefined) return undefined
  const dir = 'contracts/test/smart-balance'
  return names.includes(',') ? `${dir}/{${names}}.t.sol` : `${dir}/${names}.t.sol`
}
