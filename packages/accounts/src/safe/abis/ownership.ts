import { parseAbi } from 'viem'

/** Ownership: `packages/onchain/contracts/interfaces/IOwnership.sol`. */
export const ownershipAbi = parseAbi([
  'struct Owner { uint8 kind; bytes key; }',
  'struct GuardianSet { address[] members; uint8 threshold; uint32 delay; }',
  'struct GuardianSignature { address guardian; bytes signature; }',
  'struct OwnershipState { uint64 sequence; uint48 nextGuardiansFrom; uint48 recoveryReadyAt; bytes32 head; bytes32 guardians; bytes32 nextGuardians; bytes32 recovery; }',
  'function applyChange(address account, uint64 sequence, bytes32 kind, bytes data, bytes signature)',
  'function startRecovery(address account, uint64 sequence, Owner[] newOwners, GuardianSet guardians, GuardianSignature[] signatures)',
  'function executeRecovery(address account, Owner[] newOwners)',
  'function stateOf(address account) view returns (OwnershipState)',
  'event OwnerChangeApplied(address indexed account, uint64 indexed sequence, bytes32 indexed kind, bytes data, bytes signature, bytes32 head)',
  'event GuardiansSet(address indexed account, GuardianSet guardians, uint48 from)',
  'event SessionsEnded(address indexed account, uint256 revoked, bool complete)',
  'event RecoveryStarted(address indexed account, uint64 indexed sequence, bytes32 indexed recovery, Owner[] newOwners, GuardianSet guardians, GuardianSignature[] signatures, uint48 readyAt)',
  'event RecoveryCancelled(address indexed account, bytes32 indexed recovery)',
  'event RecoveryExecuted(address indexed account, uint64 indexed sequence, bytes32 indexed recovery, bytes32 head)',
])
