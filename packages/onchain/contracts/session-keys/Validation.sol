// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ISafe4337Module} from "../interfaces/ISafe.sol";
import {Operation} from "../smart-balance/libraries/Order.sol";
import {SafeOp} from "../smart-balance/libraries/SafeOp.sol";
import {Execution} from "./Execution.sol";
import {KeySignature} from "./libraries/KeySignature.sol";
import {SessionSignature} from "./libraries/SessionSignature.sol";
import {Sessions} from "./Sessions.sol";

/// @title What this contract signs as an owner of a Safe: only operations of sessions
/// @dev The Safe asks its owners about user operations, execTransaction, and messages (Permit2 orders, logins). This
/// contract builds the only user operation that the session may have signed and compares hashes. The hash of anything
/// else, or for another account, network or module, never passes.
abstract contract Validation is Sessions, Execution {
    using SessionSignature for bytes;

    /// @notice Thrown if the operation may be valid before or after the session, or has no end time.
    error OutsideValidity();

    /// @notice Thrown if the nonce's sequence is not among the session's maxOperations.
    error OperationsExhausted();

    /// @notice Thrown if the operation could cost the account more than the session's feePerOperation.
    error FeeTooHigh(uint256 fee, uint256 feePerOperation);

    /// @notice Thrown if the operation names a paymaster other than the session's.
    error OtherPaymaster(address paymaster);

    /// @notice Thrown if the data to sign is not this operation of the session.
    error OtherOperation();

    /// @notice Thrown if the session's key did not sign.
    error NotSignedByKey();

    /// @dev The early form of ERC-1271 that Safe 1.4.1 uses: bytes4(keccak256("isValidSignature(bytes,bytes)")).
    bytes4 private constant EARLY_MAGIC_VALUE = 0x20c13b0b;

    /// @dev Safe 1.5.0 uses the standard's form: bytes4(keccak256("isValidSignature(bytes32,bytes)")).
    bytes4 private constant MAGIC_VALUE = 0x1626ba7e;

    /// @notice Whether a session of the calling Safe signed the operation whose hash is keccak256(`data`). Returns only
    /// the magic value. Otherwise reverts with MalformedSessionSignature, NoSession, OutsideValidity,
    /// OperationsExhausted, OtherPaymaster, FeeTooHigh, OtherOperation, NotSignedByKey. Safe4337Module turns each of
    /// them into a failed signature.
    /// @dev Does not read the clock (ERC-7562, OP-011), so EntryPoint checks the operation's own validity. Reads no
    /// storage except the account's terms and, in Epochs, the end of their epoch, which is the account's associated
    /// storage, too (ERC-7562, STO-021), and otherwise calls only precompiles. The key's signature is verified before the
    /// operation is checked, so that an estimate with a stub measures the verification even if the bundler has changed
    /// the gas limits.
    /// @param data 0x1901 ‖ domain separator ‖ struct hash.
    /// @param signature As in {SessionSignature}.
    function isValidSignature(bytes calldata data, bytes calldata signature) external view returns (bytes4) {
        _checkSignature(keccak256(data), signature);
        return EARLY_MAGIC_VALUE;
    }

    /// @notice The same for a hash, as Safe 1.5.0 asks.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        _checkSignature(hash, signature);
        return MAGIC_VALUE;
    }

    function _checkSignature(bytes32 asked, bytes calldata signature) private view {
        (
            SessionSignature.Head memory head,
            bytes calldata calls,
            bytes calldata paymasterAndData,
            bytes calldata keySignature
        ) = signature.parse();
        Terms memory terms = _termsOf(msg.sender, head.key);
        _checkTerms(terms, head, paymasterAndData);
        bytes32 hash = _hashOf(terms.generation, head, calls, keccak256(paymasterAndData));
        bool isSigned = KeySignature.isValid(head.key, hash, keySignature);
        if (asked != hash) revert OtherOperation();
        if (!isSigned) revert NotSignedByKey();
    }

    function _checkTerms(
        Terms memory terms,
        SessionSignature.Head memory head,
        bytes calldata paymasterAndData
    ) private pure {
        // A validUntil of 0 would mean forever.
        bool isWithin = head.validAfter >= terms.validAfter && head.validUntil <= terms.validUntil;
        if (!isWithin || head.validUntil == 0) revert OutsideValidity();
        uint64 first = terms.firstSequence;
        // A nonce is used once, so this limits the total fees, including those of reverted operations.
        if (head.sequence < first || head.sequence - first >= terms.maxOperations) {
            revert OperationsExhausted();
        }
        if (paymasterAndData.length == 0) _checkFee(terms, head);
        else _checkPaymaster(terms.paymaster, paymasterAndData);
    }

    /// @dev As EntryPoint v0.7 computes the prefund without a paymaster. These u128 values cannot overflow.
    function _checkFee(Terms memory terms, SessionSignature.Head memory head) private pure {
        uint256 gas = uint256(head.verificationGasLimit) + head.callGasLimit + head.preVerificationGas;
        uint256 fee = gas * head.maxFeePerGas;
        if (fee > terms.feePerOperation) revert FeeTooHigh(fee, terms.feePerOperation);
    }

    /// @dev 0 is rejected, too: EntryPoint then makes the account pay, including for the paymaster's gas limits.
    function _checkPaymaster(address allowed, bytes calldata paymasterAndData) private pure {
        // Pads data that is shorter than an address, which EntryPoint rejects (AA93).
        address paymaster = address(bytes20(paymasterAndData));
        if (paymaster != allowed || paymaster == address(0)) revert OtherPaymaster(paymaster);
    }

    /// @dev The caller's SafeOp that makes it call {Execution-execute} for this key through
    /// executeUserOpWithErrorString: the module's other function hides the reason of a failed execution. The account
    /// exists, so there is no initCode.
    function _hashOf(
        uint32 generation,
        SessionSignature.Head memory head,
        bytes calldata calls,
        bytes32 paymasterAndDataHash
    ) private view returns (bytes32) {
        bytes memory execution = bytes.concat(this.execute.selector, head.key, calls);
        uint192 nonceKey = _nonceKeyOf(_idOf(msg.sender, head.key, generation));
        Operation memory operation = Operation({
            account: msg.sender,
            nonce: uint256(nonceKey) << 64 | head.sequence,
            initCodeHash: keccak256(""),
            callDataHash: keccak256(
                abi.encodeCall(ISafe4337Module.executeUserOpWithErrorString, (address(this), 0, execution, 0))
            ),
            accountGasLimits: bytes32(uint256(head.verificationGasLimit) << 128 | head.callGasLimit),
            preVerificationGas: head.preVerificationGas,
            gasFees: bytes32(uint256(head.maxPriorityFeePerGas) << 128 | head.maxFeePerGas)
        });
        bytes12 validity = bytes12(uint96(head.validAfter) << 48 | head.validUntil);
        return
            SafeOp.hash(
                block.chainid, SAFE_4337_MODULE, ENTRY_POINT, operation, paymasterAndDataHash, validity
            );
    }
}
