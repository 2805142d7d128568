import { type Address, concat, type Hex, numberToHex, type StateOverride } from 'viem'

/** Nothing is deployed here: the first 20 bytes of keccak256("lanyard: override probe"). */
const probe: Address = '0xeb764a2c90b0f9e536a5694830449e6f01190ef0'

/** The probe's balance in wei, and the value of its first slot: nobody gives an account exactly this. */
const mark = 0x6c616e79617264n

/**
 * A call that reaches its target only if the node applies overrides of code, balances and storage. A node that
 * ignores one of them returns nothing, because no contract is at the probe's address or because the probe stops.
 * Without it, such a node answers with a revert of the contract that is really there, which looks like a fault of
 * the operation.
 *
 * @param target - called with the calldata and all the gas; its result is the result of the call
 */
export const throughProbe = (
  target: Address,
): { readonly to: Address; readonly override: StateOverride[number] } => ({
  to: probe,
  override: {
    address: probe,
    code: probeCode(target),
    balance: mark,
    stateDiff: [{ slot: numberToHex(0, { size: 32 }), value: numberToHex(mark, { size: 32 }) }],
  },
})

function probeCode(target: Address): Hex {
  const push = numberToHex(mark, { size: 7 })
  return concat([
    // PUSH7 mark, SELFBALANCE, XOR, PUSH7 mark, PUSH0, SLOAD, XOR, OR, PUSH1 stop, JUMPI
    ...(['0x66', push, '0x4718', '0x66', push, '0x5f5418', '0x17604757'] as const),
    // CALLDATASIZE, PUSH0, PUSH0, CALLDATACOPY
    '0x365f5f37',
    // PUSH0, PUSH0, CALLDATASIZE, PUSH0, PUSH0, PUSH20 target, GAS, CALL
    ...(['0x5f5f365f5f73', target, '0x5af1'] as const),
    // RETURNDATASIZE, PUSH0, PUSH0, RETURNDATACOPY
    '0x3d5f5f3e',
    // PUSH1 return, JUMPI, RETURNDATASIZE, PUSH0, REVERT
    '0x6043573d5ffd',
    // return: JUMPDEST, RETURNDATASIZE, PUSH0, RETURN
    '0x5b3d5ff3',
    // stop: JUMPDEST, STOP
    '0x5b00',
  ])
}
