// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice An owner by kind and key, because the address of its signer contract may differ between networks.
struct Owner {
    /// ADDRESS or PASSKEY.
    uint8 kind;
    /// ADDRESS: its 20 bytes. PASSKEY: x (32) ‖ y (32) ‖ verifiers (22), as SmartBalance names a signer.
    bytes key;
}

/// @notice Who may recover an account. Without members there is no recovery, and threshold and delay are 0.
struct GuardianSet {
    /// At most MAX_GUARDIANS, strictly ascending.
    address[] members;
    /// How many of them must sign.
    uint8 threshold;
    /// Seconds between the start of a recovery and its execution, MIN_DELAY to MAX_DELAY.
    uint32 delay;
}

/// @notice One guardian's signature over a recovery: 65 bytes of an EOA, or what the guardian's contract accepts.
struct GuardianSignature {
    address guardian;
    bytes signature;
}

/// @notice What the module knows of an account on this network.
struct OwnershipState {
    /// The sequence of the next change.
    uint64 sequence;
    /// When nextGuardians replaces guardians; 0 if nothing does.
    uint48 nextGuardiansFrom;
    /// When the recovery that was started last can be executed; stays after it was cancelled.
    uint48 recoveryReadyAt;
    /// Hash of everything applied so far. Two networks with the same sequence and different heads are split.
    bytes32 head;
    /// keccak256(abi.encode(GuardianSet)), 0 without guardians.
    bytes32 guardians;
    /// Counts only if nextGuardiansFrom is not 0.
    bytes32 nextGuardians;
    /// Hash of the running recovery (EIP-712 digest), 0 if none runs.
    bytes32 recovery;
}

/// @title Owner changes that hold on every network, and guardians
/// @notice No function asks who calls it: only signatures and time decide.
interface IOwnership {
    /// @notice Thrown if the account is not a Safe 1.4.1 or 1.5.0 with threshold 1 that has this module enabled.
    error UnsupportedAccount(address account);

    /// @notice Thrown if the message is not for the next sequence.
    error WrongSequence(uint64 actual, uint64 expected);

    /// @notice Thrown for an approved hash (v = 1), which would hold on this network only.
    error ApprovedHash();

    error UnknownKind(bytes32 kind);

    /// @notice Thrown for a key of the wrong length, a point off the curve, an address that must not own the account
    /// (0, 1, the account, this module, SessionKeys, the shared signer), or a replacement that goes with what it replaces.
    error InvalidOwner(Owner owner);

    /// @notice Thrown if nobody but SessionKeys or this module would own the account.
    error LastOwner(address account);

    error InvalidGuardians();

    /// @notice Thrown if `guardians` is not the set in force.
    error OtherGuardians(address account);

    /// @notice Thrown if a signature is missing, invalid, not by a guardian, or not in ascending order of guardians.
    error NotSignedByGuardians();

    error RecoveryRunning(address account, bytes32 recovery);

    /// @notice Thrown if this recovery is not the running one.
    error NoRecovery(address account, bytes32 recovery);

    error RecoveryNotReady(uint48 readyAt);

    /// @notice An owner's change was applied. With `signature` anyone can apply it on other networks.
    event OwnerChangeApplied(
        address indexed account,
        uint64 indexed sequence,
        bytes32 indexed kind,
        bytes data,
        bytes signature,
        bytes32 head
    );

    /// @notice `guardians` counts from `from`.
    event GuardiansSet(address indexed account, GuardianSet guardians, uint48 from);

    /// @notice RevokeSessions or a recovery ended all sessions: SessionKeys owns the account no more. `revoked` were
    /// also deleted; any others would work again if SessionKeys became an owner again.
    event SessionsEnded(address indexed account, uint256 revoked, bool complete);

    event RecoveryStarted(
        address indexed account,
        uint64 indexed sequence,
        bytes32 indexed recovery,
        Owner[] newOwners,
        GuardianSet guardians,
        GuardianSignature[] signatures,
        uint48 readyAt
    );

    event RecoveryCancelled(address indexed account, bytes32 indexed recovery);

    event RecoveryExecuted(
        address indexed account, uint64 indexed sequence, bytes32 indexed recovery, bytes32 head
    );

    /// @notice Applies what an owner signed. Anyone may call it, once for each sequence. It ends a running recovery.
    /// @param data `addOwner`, `removeOwner`: abi.encode(Owner). `replaceOwner`: abi.encode(Owner old, Owner added).
    /// `setGuardians`: abi.encode(GuardianSet). `revokeSessions`, `cancel`: empty.
    /// @param signature One signature in Safe's encoding, over {changeHash}.
    function applyChange(
        address account,
        uint64 sequence,
        bytes32 kind,
        bytes calldata data,
        bytes calldata signature
    ) external;

    /// @notice Starts a recovery that the threshold of guardians signed. Anyone may call it.
    /// @param signatures In ascending order of guardians.
    function startRecovery(
        address account,
        uint64 sequence,
        Owner[] calldata newOwners,
        GuardianSet calldata guardians,
        GuardianSignature[] calldata signatures
    ) external;

    /// @notice After the delay: `newOwners` become the only owners, and all sessions end. Anyone may call it.
    function executeRecovery(address account, Owner[] calldata newOwners) external;

    function stateOf(address account) external view returns (OwnershipState memory);

    /// @notice What an owner signs; the same on every network.
    function changeHash(address account, uint64 sequence, bytes32 kind, bytes calldata data)
        external
        view
        returns (bytes32);

    /// @notice What guardians sign; the same on every network.
    function recoveryHash(address account, uint64 sequence, Owner[] calldata newOwners)
        external
        view
        returns (bytes32);
}
