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

/// @notice One guardian's signature: 65 bytes of an EOA, or what the guardian's contract accepts. At most 2,048 bytes.
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
    /// When the recovery that was started last can be executed; stays after it was cancelled. It can be executed for 30
    /// days.
    uint48 recoveryReadyAt;
    /// The highest number that guardians have started or cancelled at this sequence; that of the running recovery while
    /// one runs.
    uint64 number;
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
/// @notice Only signatures and time decide, so no function asks who calls it, except {resync}, which is for the account.
interface IOwnership {
    /// @notice Thrown if the account is not a Safe 1.4.1 or 1.5.0 that has this module enabled.
    error UnsupportedAccount(address account);

    /// @notice Thrown if the message is not for the next sequence.
    error WrongSequence(uint64 actual, uint64 expected);

    /// @notice Thrown for an approved hash (v = 1), which would hold on this network only.
    error ApprovedHash();

    /// @notice Thrown if an owner's or guardian's signature has more than 2,048 bytes.
    error SignatureTooLong(uint256 length);

    error UnknownKind(bytes32 kind);

    /// @notice Thrown if `cancel` or `revokeSessions` has data.
    error UnexpectedData(bytes32 kind);

    /// @notice Thrown for a key of the wrong length, a point off the curve, or an address that must not own the account
    /// (0, 1, the account, this module, SessionKeys, the shared signer).
    error InvalidOwner(Owner owner);

    /// @notice Thrown if anyone could sign as this contract once it is an owner.
    error ForgeableOwner(Owner owner);

    /// @notice Thrown if fewer owners than the threshold would be left. SessionKeys and this module do not count.
    error TooFewOwners(address account);

    /// @notice Thrown for a threshold of 0.
    error InvalidThreshold();

    /// @notice Thrown if less gas is left than asking about a new owner may use. Nothing is consumed.
    error NotEnoughGas();

    error InvalidGuardians();

    /// @notice Thrown if `guardians` is not the set in force.
    error OtherGuardians(address account);

    /// @notice Thrown if a signature is missing, invalid, not by a guardian, or not in ascending order of guardians.
    error NotSignedByGuardians();

    /// @notice Thrown if a start is not above `highest`, a cancellation is below it, or either is more than 2^32 above it.
    error WrongNumber(uint64 actual, uint64 highest);

    /// @notice Thrown if this recovery is not the running one, or has lapsed.
    error NoRecovery(address account, bytes32 recovery);

    error RecoveryNotReady(uint48 readyAt);

    /// @notice Thrown if the new sequence is not above the current one, or more than 1,024 above it.
    error InvalidResync(uint64 actual, uint64 current);

    /// @notice An owner's change was applied. With `signatures` anyone can apply it on other networks.
    event OwnerChangeApplied(
        address indexed account,
        uint64 indexed sequence,
        bytes32 indexed kind,
        bytes data,
        bytes signatures,
        bytes32 head
    );

    /// @notice The change or recovery of this sequence changed no owner on this network, because anyone could sign as
    /// `owner` here. It has consumed the sequence.
    event OwnerRefused(address indexed account, uint64 indexed sequence, Owner owner);

    /// @notice `guardians` counts from `from`.
    event GuardiansSet(address indexed account, GuardianSet guardians, uint48 from);

    event RecoveryStarted(
        address indexed account,
        uint64 indexed sequence,
        bytes32 indexed recovery,
        uint64 number,
        Owner[] newOwners,
        uint256 newThreshold,
        GuardianSet guardians,
        GuardianSignature[] signatures,
        uint48 readyAt
    );

    /// @notice Guardians took back everything up to `number`. With `signatures` anyone can do so on other networks.
    event RecoveriesCancelled(
        address indexed account,
        uint64 indexed sequence,
        uint64 number,
        GuardianSet guardians,
        GuardianSignature[] signatures
    );

    /// @notice The running recovery ended without being executed.
    event RecoveryCancelled(address indexed account, bytes32 indexed recovery);

    /// @notice A recovery was executed. If {OwnerRefused} follows, it changed no owner.
    event RecoveryExecuted(
        address indexed account, uint64 indexed sequence, bytes32 indexed recovery, bytes32 head
    );

    /// @notice The account took over sequence and head of another network.
    event Resynced(address indexed account, uint64 indexed sequence, bytes32 head);

    /// @notice Applies what the threshold of owners signed. Anyone may call it, once for each sequence. It ends a running
    /// recovery.
    /// @param data `addOwner`, `removeOwner`: abi.encode(Owner). `replaceOwner`: abi.encode(Owner old, Owner added).
    /// `setThreshold`: abi.encode(uint256). `setGuardians`: abi.encode(GuardianSet). `revokeSessions`, `cancel`: empty.
    /// @param signatures As many as the threshold, in Safe's encoding, over {changeHash}.
    function applyChange(
        address account,
        uint64 sequence,
        bytes32 kind,
        bytes calldata data,
        bytes calldata signatures
    ) external;

    /// @notice Starts a recovery that the threshold of guardians signed, in place of the running one. Anyone may call it.
    /// @param number Above the highest seen at this sequence, by at most 2^32.
    /// @param signatures In ascending order of guardians, over {recoveryHash}.
    function startRecovery(
        address account,
        uint64 sequence,
        uint64 number,
        Owner[] calldata newOwners,
        uint256 newThreshold,
        GuardianSet calldata guardians,
        GuardianSignature[] calldata signatures
    ) external;

    /// @notice Ends the running recovery, and retires every number up to `number` at this sequence, as the threshold of
    /// guardians signed. The sequence stays. Anyone may call it.
    /// @param number The highest seen at this sequence, or at most 2^32 above it.
    /// @param signatures In ascending order of guardians, over {cancelHash}.
    function cancelRecovery(
        address account,
        uint64 sequence,
        uint64 number,
        GuardianSet calldata guardians,
        GuardianSignature[] calldata signatures
    ) external;

    /// @notice After the delay, for 30 days: `newOwners` become the only owners with this threshold, and all sessions and
    /// pins of before end. Anyone may call it.
    function executeRecovery(address account, Owner[] calldata newOwners, uint256 newThreshold) external;

    /// @notice Sets the caller's sequence and head to those of another network, after its owners were changed by hand.
    /// Ends a running recovery. Upwards only, by at most 1,024.
    function resync(uint64 sequence, bytes32 head) external;

    function stateOf(address account) external view returns (OwnershipState memory);

    /// @notice What owners sign; the same on every network.
    function changeHash(address account, uint64 sequence, bytes32 kind, bytes calldata data)
        external
        view
        returns (bytes32);

    /// @notice What guardians sign to start a recovery; the same on every network.
    function recoveryHash(
        address account,
        uint64 sequence,
        uint64 number,
        Owner[] calldata newOwners,
        uint256 newThreshold
    ) external view returns (bytes32);

    /// @notice What guardians sign to take recoveries back; the same on every network.
    function cancelHash(address account, uint64 sequence, uint64 number) external view returns (bytes32);

    /// @notice What an executed recovery adds to the head. Two numbers with the same result leave the same head.
    function resultHash(address account, uint64 sequence, Owner[] calldata newOwners, uint256 newThreshold)
        external
        view
        returns (bytes32);
}
