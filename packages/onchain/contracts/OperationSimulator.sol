// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {
    IAccount,
    IAccountExecute,
    IPaymaster,
    ISenderCreator,
    PackedUserOperation
} from "./interfaces/ERC4337.sol";

/// @title Measures a complete user operation in one eth_call
/// @notice This contract is never deployed. An `eth_call` overrides the code at EntryPoint v0.7's address with this
/// runtime code, so that accounts and paymasters are called by the EntryPoint that they trust. It measures the gas that
/// each phase of the operation needs. The storage is EntryPoint's own: deposits and nonces are the real ones.
///
/// The caller may also override:
/// - the sender's balance, to estimate an unfunded account, which then pays the missing prefund as it will later;
/// - {ENTRY_POINT_CODE}, with EntryPoint's own runtime code. All other functions of EntryPoint that an account or a
///   paymaster calls back (`getNonce`, `balanceOf`, `depositTo`, …) then run there by delegatecall.
///
/// A sufficient limit is found as follows. A frame that always reverts runs a phase with a given limit, so its state
/// and its access list are undone (EIP-2929 restores warmth on revert), and every attempt starts from the same state. A
/// limit suffices if outcome, return data and gas used are exactly those of a run with ample gas. The gas used matters:
/// if an inner call is caught (Safe4337Module catches a failing signature check; a batch may catch a failing call), too
/// little gas does not revert, but silently changes the outcome (EIP-150 passes on 63/64 at each level).
contract OperationSimulator {
    // ---------------------------------------------------------------------------------------------- errors

    /// @notice Carries the outcome out of a frame that reverts its state. Thrown by every {attempt}.
    error Attempted(Attempt outcome);

    /// @notice Thrown if {attempt} is called from outside.
    error InternalCallOnly();

    /// @notice Thrown if an account or a paymaster calls EntryPoint back and {ENTRY_POINT_CODE} has no code.
    error EntryPointCodeNotGiven(bytes4 selector);

    // ---------------------------------------------------------------------------------------------- events

    /// @notice EntryPoint's event, which is part of the cost of paying the prefund.
    event Deposited(address indexed account, uint256 totalDeposit);

    // ---------------------------------------------------------------------------------------------- types

    enum Phase {
        /// Creation of the sender, its validateUserOp, the prefund and the nonce: limited by verificationGasLimit.
        Verification,
        /// validatePaymasterUserOp: limited by paymasterVerificationGasLimit.
        PaymasterVerification,
        /// The calldata: limited by callGasLimit.
        Execution,
        /// The paymaster's postOp: limited by paymasterPostOpGasLimit.
        PostOp
    }

    /// @notice The inputs of a phase other than the operation.
    struct Inputs {
        /// The operation's maximum cost in wei. 1 is enough to make the sender pay something.
        uint256 requiredPrefund;
        bytes32 userOpHash;
        bytes context;
        bool executionSucceeded;
    }

    /// @notice The result of one run of a phase.
    struct Attempt {
        /// 0, the number of EntryPoint's AA error, or one of the two constants below.
        uint256 failure;
        uint256 gasUsed;
        /// The phase's return data, or the revert data of the failure.
        bytes data;
    }

    struct PhaseGas {
        uint256 used;
        /// A sufficient limit, at most about 2 % or 1,000 above the minimum. 0 if the phase failed.
        uint256 limit;
        /// False if the gas of the eth_call ended the search early; `limit` is then sufficient, but not tight.
        bool tight;
    }

    struct Result {
        bytes32 userOpHash;
        /// 0, or the number of the AA error with which EntryPoint would reject the operation: 10, 13, 14, 15, 20, 21,
        /// 23, 25, 26, 31, 33, 36, 93 ("AA23 reverted" …), or {UNKNOWN_FAILURE}. Later phases have not run.
        uint256 failure;
        /// From the factory (13), validateUserOp (23) or validatePaymasterUserOp (33); the created address (14).
        bytes failureData;
        /// As returned: 1 in the low 160 bits = signature failed. Not checked here, since estimates use stub
        /// signatures.
        uint256 validationData;
        uint256 paymasterValidationData;
        /// The part of `verification.used` that creating the sender used.
        uint256 creationGasUsed;
        PhaseGas verification;
        PhaseGas paymasterVerification;
        PhaseGas execution;
        bool executionSucceeded;
        /// Return data or revert data of the execution.
        bytes executionData;
        PhaseGas postOp;
        /// Also true if there is no postOp to call.
        bool postOpSucceeded;
        bytes postOpData;
    }

    // ---------------------------------------------------------------------------------------------- constants

    /// @notice The address where the caller puts EntryPoint's own code: the last 20 bytes of
    /// keccak256("lanyard.simulator.EntryPoint").
    address public constant ENTRY_POINT_CODE =
        address(uint160(uint256(keccak256("lanyard.simulator.EntryPoint"))));

    /// @notice `failure` of an execution or postOp that reverted.
    uint256 public constant REVERTED = 1;
    /// @notice `failure` of a frame that could not report its result: malformed return data, or no gas left.
    uint256 public constant UNKNOWN_FAILURE = 255;

    /// @dev Added to the values that AA26 and AA36 compare. For the same steps, this contract's code uses 900 to 2,100
    /// gas more than EntryPoint v0.7's (measured by packages/devnet/test), although it does not copy the static fields.
    /// The addition covers EntryPoint's memory, which grows with the number of operations in a bundle.
    uint256 private constant VERIFICATION_OVERHEAD = 1_500;
    uint256 private constant PAYMASTER_VERIFICATION_OVERHEAD = 500;

    /// @dev Reserved for encoding the operation into frames and for returning the result.
    uint256 private constant RESERVE = 150_000;

    // ---------------------------------------------------------------------------------------------- storage

    // Slots 0 and 1 of EntryPoint v0.7 (StakeManager, NonceManager), so that reads and writes have their real cost.

    struct DepositInfo {
        uint256 deposit;
        bool staked;
        uint112 stake;
        uint32 unstakeDelaySec;
        uint48 withdrawTime;
    }

    mapping(address account => DepositInfo) private deposits;
    mapping(address sender => mapping(uint192 key => uint256 sequence)) private nonceSequenceNumber;

    // ---------------------------------------------------------------------------------------------- external

    /// @notice Receives an account's prefund (EntryPoint `receive` → `depositTo`).
    receive() external payable {
        DepositInfo storage info = deposits[msg.sender];
        uint256 newAmount = info.deposit + msg.value;
        info.deposit = newAmount;
        emit Deposited(msg.sender, newAmount);
    }

    /// @notice EntryPoint's other functions, on EntryPoint's storage.
    fallback() external payable {
        address code = ENTRY_POINT_CODE;
        if (code.code.length == 0) revert EntryPointCodeNotGiven(msg.sig);
        assembly ("memory-safe") {
            // A Solidity function that only forwards may use memory from 0 on.
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    /// @notice Runs `op` phase by phase, as `handleOps([op])` would, and returns the gas that each phase needs.
    /// @param requiredPrefund The operation's maximum cost in wei, as EntryPoint would compute it from its gas limits.
    /// If the limits are unknown: an estimate, or 1. The sender must pay the part that its deposit does not cover,
    /// since paying costs gas: a call with value and a write to EntryPoint's storage.
    /// @param gasCap The maximum gas for a phase. The operation's own limits are ignored.
    function simulate(PackedUserOperation calldata op, uint256 requiredPrefund, uint256 gasCap)
        external
        returns (Result memory result)
    {
        Inputs memory inputs;
        inputs.requiredPrefund = requiredPrefund;
        result.userOpHash = inputs.userOpHash = _userOpHash(op);

        Attempt memory outcome;
        (outcome, result.verification) = _measure(op, Phase.Verification, inputs, gasCap);
        if (outcome.failure != 0) return _refused(result, outcome);
        (result.validationData, result.creationGasUsed) = abi.decode(outcome.data, (uint256, uint256));

        if (op.paymasterAndData.length != 0) {
            (outcome, result.paymasterVerification) =
                _measure(op, Phase.PaymasterVerification, inputs, gasCap);
            if (outcome.failure != 0) return _refused(result, outcome);
            (inputs.context, result.paymasterValidationData) = abi.decode(outcome.data, (bytes, uint256));
        }

        (outcome, result.execution) = _measure(op, Phase.Execution, inputs, gasCap);
        result.executionSucceeded = inputs.executionSucceeded = outcome.failure == 0;
        result.executionData = outcome.data;

        result.postOpSucceeded = true;
        if (inputs.context.length != 0) {
            (outcome, result.postOp) = _measure(op, Phase.PostOp, inputs, gasCap);
            result.postOpSucceeded = outcome.failure == 0;
            result.postOpData = outcome.data;
        }
    }

    /// @notice Runs a phase and reverts it. Always reverts with {Attempted}. Only {simulate} may call it.
    function attempt(PackedUserOperation calldata op, Phase phase, Inputs calldata inputs, uint256 limit)
        external
    {
        if (msg.sender != address(this)) revert InternalCallOnly();
        revert Attempted(_run(op, phase, inputs, limit));
    }

    // ---------------------------------------------------------------------------------------------- search

    /// @dev Runs a phase with ample gas, finds a tight limit, and then runs the phase for the phases after it.
    function _measure(PackedUserOperation calldata op, Phase phase, Inputs memory inputs, uint256 gasCap)
        private
        returns (Attempt memory outcome, PhaseGas memory gas)
    {
        uint256 ampleGas = _min(gasCap, _affordable(phase) / 2);
        outcome = _attempt(op, phase, inputs, ampleGas);
        gas.used = outcome.gasUsed;
        if (outcome.failure != 0) return (outcome, gas);

        (gas.limit, gas.tight) = _search(op, phase, inputs, outcome, ampleGas, true);
        if (gas.limit == ampleGas && gas.tight) {
            // No smaller limit gives exactly the same run, since the code reads gasleft(). Accept the same result.
            (gas.limit, gas.tight) = _search(op, phase, inputs, outcome, ampleGas, false);
        }
        _run(op, phase, inputs, gas.limit);
    }

    /// @dev The lowest limit (to 1/64 or 1,000) at which the phase runs as in `ample`. Goes up from the gas used, where
    /// most operations succeed within a few percent, then bisects the interval.
    function _search(
        PackedUserOperation calldata op,
        Phase phase,
        Inputs memory inputs,
        Attempt memory ample,
        uint256 ampleGas,
        bool exactGas
    ) private returns (uint256 limit, bool tight) {
        uint256 tooLow = ample.gasUsed;
        // 1/16 covers the gas that EIP-150 withholds in four nested calls, the depth of a Safe.
        uint256 step = tooLow / 16 + 1_000;
        limit = tooLow + step;
        while (true) {
            if (limit >= ampleGas) {
                limit = ampleGas;
                break;
            }
            if (limit > _affordable(phase)) return (ampleGas, false);
            if (_same(_attempt(op, phase, inputs, limit), ample, exactGas)) break;
            tooLow = limit;
            step *= 2;
            limit += step;
        }
        while (limit - tooLow > _max(limit / 64, 1_000)) {
            uint256 middle = (limit + tooLow) / 2;
            if (middle > _affordable(phase)) return (limit, false);
            if (_same(_attempt(op, phase, inputs, middle), ample, exactGas)) limit = middle;
            else tooLow = middle;
        }
        return (limit, true);
    }

    function _same(Attempt memory a, Attempt memory b, bool exactGas) private pure returns (bool) {
        return a.failure == b.failure && (!exactGas || a.gasUsed == b.gasUsed)
            && keccak256(a.data) == keccak256(b.data);
    }

    function _attempt(PackedUserOperation calldata op, Phase phase, Inputs memory inputs, uint256 limit)
        private
        returns (Attempt memory)
    {
        (, bytes memory reverted) =
            address(this).call(abi.encodeCall(this.attempt, (op, phase, inputs, limit)));
        if (bytes4(reverted) != Attempted.selector) return Attempt(UNKNOWN_FAILURE, 0, reverted);
        assembly ("memory-safe") {
            // Drop the selector: shorten the array and move its start.
            mstore(add(reverted, 4), sub(mload(reverted), 4))
            reverted := add(reverted, 4)
        }
        return abi.decode(reverted, (Attempt));
    }

    /// @dev The highest limit that a frame started now can really pass on. A call given more than 63/64 of the
    /// remaining gas silently gets less. EntryPoint's AA95 guards against that; here, this function does.
    function _affordable(Phase phase) private view returns (uint256) {
        uint256 left = gasleft();
        if (left <= RESERVE) return 0;
        // There are two levels below this one: the frame, and the call that it makes.
        uint256 passed = (left - RESERVE) * 63 / 64 * 63 / 64;
        // Creation and validation each get the whole limit, one after the other.
        return phase == Phase.Verification ? passed / 2 : passed;
    }

    // ---------------------------------------------------------------------------------------------- phases

    function _run(PackedUserOperation calldata op, Phase phase, Inputs memory inputs, uint256 limit)
        private
        returns (Attempt memory)
    {
        if (phase == Phase.Verification) return _verify(op, inputs, limit);
        if (phase == Phase.PaymasterVerification) return _verifyPaymaster(op, inputs, limit);
        if (phase == Phase.Execution) return _execute(op, inputs, limit);
        return _postOp(op, inputs, limit);
    }

    /// @dev EntryPoint `_validatePrepayment` up to its AA26 check, which compares the *sum* of creation, validation,
    /// prefund, nonce and its own copying with verificationGasLimit, while creation and validation are also each called
    /// with that limit.
    function _verify(PackedUserOperation calldata op, Inputs memory inputs, uint256 limit)
        private
        returns (Attempt memory outcome)
    {
        uint256 preGas = gasleft();
        // Hashed again, since EntryPoint's hashing counts towards AA26.
        bytes32 userOpHash = _userOpHash(op);

        (outcome.failure, outcome.data) = _createSender(op, limit);
        if (outcome.failure != 0) return outcome;
        uint256 creationGas = op.initCode.length == 0 ? 0 : preGas - gasleft();

        uint256 validationData;
        (outcome.failure, outcome.data, validationData) =
            _validate(op, userOpHash, inputs.requiredPrefund, limit);
        if (outcome.failure != 0) return outcome;

        // `_validateAndUpdateNonce`: EntryPoint counts each key separately.
        if (nonceSequenceNumber[op.sender][uint192(op.nonce >> 64)]++ != uint64(op.nonce)) {
            outcome.failure = 25;
            return outcome;
        }
        outcome.gasUsed = preGas - gasleft() + VERIFICATION_OVERHEAD;
        if (outcome.gasUsed > limit) outcome.failure = 26;
        outcome.data = abi.encode(validationData, creationGas);
    }

    /// @dev EntryPoint `_createSenderIfNeeded`.
    function _createSender(PackedUserOperation calldata op, uint256 limit)
        private
        returns (uint256, bytes memory)
    {
        address sender = op.sender;
        if (op.initCode.length == 0) {
            // EntryPoint's call to an address without code would revert without a reason; its simulations return AA20.
            return (sender.code.length == 0 ? 20 : 0, "");
        }
        if (sender.code.length != 0) return (10, "");
        (bool success, bytes memory returned) =
            _senderCreator().call{gas: limit}(abi.encodeCall(ISenderCreator.createSender, (op.initCode)));
        address created = success && returned.length >= 32 ? abi.decode(returned, (address)) : address(0);
        if (created == address(0)) return (13, _factoryRevertData(op.initCode, limit));
        if (created != sender) return (14, abi.encode(created));
        return (sender.code.length == 0 ? 15 : 0, "");
    }

    /// @dev SenderCreator drops revert data, so the factory is called again; this frame is reverted anyway.
    function _factoryRevertData(bytes calldata initCode, uint256 limit)
        private
        returns (bytes memory returned)
    {
        if (initCode.length < 20) return "";
        (, returned) = address(bytes20(initCode[:20])).call{gas: limit}(initCode[20:]);
    }

    /// @dev EntryPoint `_validateAccountPrepayment` after creation.
    function _validate(
        PackedUserOperation calldata op,
        bytes32 userOpHash,
        uint256 requiredPrefund,
        uint256 limit
    ) private returns (uint256 failure, bytes memory returned, uint256 validationData) {
        address sender = op.sender;
        bool paysItself = op.paymasterAndData.length == 0;
        uint256 missingAccountFunds;
        if (paysItself) {
            uint256 deposited = deposits[sender].deposit;
            missingAccountFunds = deposited > requiredPrefund ? 0 : requiredPrefund - deposited;
        }
        bool success;
        (success, returned) = sender.call{gas: limit}(
            abi.encodeCall(IAccount.validateUserOp, (op, userOpHash, missingAccountFunds))
        );
        if (!success || returned.length < 32) return (23, returned, 0);
        validationData = abi.decode(returned, (uint256));
        if (paysItself) {
            DepositInfo storage info = deposits[sender];
            if (requiredPrefund > info.deposit) return (21, "", 0);
            info.deposit -= requiredPrefund;
        }
    }

    /// @dev EntryPoint `_validatePaymasterPrepayment`, with its AA36 check.
    function _verifyPaymaster(PackedUserOperation calldata op, Inputs memory inputs, uint256 limit)
        private
        returns (Attempt memory outcome)
    {
        uint256 preGas = gasleft();
        // Paymaster and its two gas limits.
        if (op.paymasterAndData.length < 52) {
            outcome.failure = 93;
            return outcome;
        }
        address paymaster = _paymaster(op);
        DepositInfo storage info = deposits[paymaster];
        if (info.deposit < inputs.requiredPrefund) {
            outcome.failure = 31;
            return outcome;
        }
        info.deposit -= inputs.requiredPrefund;
        bool success;
        (success, outcome.data) = paymaster.call{gas: limit}(
            abi.encodeCall(
                IPaymaster.validatePaymasterUserOp, (op, inputs.userOpHash, inputs.requiredPrefund)
            )
        );
        // The minimum size of (bytes, uint256).
        if (!success || outcome.data.length < 96) {
            outcome.failure = 33;
            return outcome;
        }
        outcome.gasUsed = preGas - gasleft() + PAYMASTER_VERIFICATION_OVERHEAD;
        if (outcome.gasUsed > limit) outcome.failure = 36;
    }

    /// @dev EntryPoint `_executeUserOp` and `innerHandleOp`.
    function _execute(PackedUserOperation calldata op, Inputs memory inputs, uint256 limit)
        private
        returns (Attempt memory outcome)
    {
        // `innerHandleOp` makes no call for empty calldata.
        if (op.callData.length == 0) return outcome;
        bytes memory callData = bytes4(op.callData) == IAccountExecute.executeUserOp.selector
            ? abi.encodeCall(IAccountExecute.executeUserOp, (op, inputs.userOpHash))
            : op.callData;
        return _call(op.sender, callData, limit);
    }

    /// @dev EntryPoint `_postExecution`.
    function _postOp(PackedUserOperation calldata op, Inputs memory inputs, uint256 limit)
        private
        returns (Attempt memory)
    {
        IPaymaster.PostOpMode mode = inputs.executionSucceeded
            ? IPaymaster.PostOpMode.opSucceeded
            : IPaymaster.PostOpMode.opReverted;
        // The real cost is unknown here; the maximum gives the largest numbers that a postOp can receive.
        uint256 maxFeePerGas = uint128(uint256(op.gasFees));
        return _call(
            _paymaster(op),
            abi.encodeCall(IPaymaster.postOp, (mode, inputs.context, inputs.requiredPrefund, maxFeePerGas)),
            limit
        );
    }

    function _call(address target, bytes memory data, uint256 limit)
        private
        returns (Attempt memory outcome)
    {
        uint256 preGas = gasleft();
        bool success;
        (success, outcome.data) = target.call{gas: limit}(data);
        outcome.gasUsed = preGas - gasleft();
        if (!success) outcome.failure = REVERTED;
    }

    // ---------------------------------------------------------------------------------------------- small parts

    /// @dev EntryPoint `getUserOpHash`: ERC-4337's hash, with this address and chain.
    function _userOpHash(PackedUserOperation calldata op) private view returns (bytes32) {
        bytes32 contentHash = keccak256(
            abi.encode(
                op.sender,
                op.nonce,
                keccak256(op.initCode),
                keccak256(op.callData),
                op.accountGasLimits,
                op.preVerificationGas,
                op.gasFees,
                keccak256(op.paymasterAndData)
            )
        );
        return keccak256(abi.encode(contentHash, address(this), block.chainid));
    }

    /// @dev EntryPoint calls factories through a contract that its constructor created: CREATE with nonce 1, whose
    /// address is the hash of the RLP list (address, 1).
    function _senderCreator() private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", address(this), hex"01")))));
    }

    function _paymaster(PackedUserOperation calldata op) private pure returns (address) {
        return address(bytes20(op.paymasterAndData[:20]));
    }

    function _refused(Result memory result, Attempt memory outcome) private pure returns (Result memory) {
        result.failure = outcome.failure;
        result.failureData = outcome.data;
        return result;
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    function _max(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a : b;
    }
}
