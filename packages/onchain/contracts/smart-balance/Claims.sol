// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {IPaymaster, PackedUserOperation} from "../interfaces/ERC4337.sol";
import {Outcome} from "../interfaces/IOutcomeVerifier.sol";
import {Administration} from "./Administration.sol";
import {MAX_VALIDITY, MIN_POST_OP_GAS} from "./Constants.sol";
import {Operation, Order, OrderLib} from "./libraries/Order.sol";
import {PaymasterData} from "./libraries/PaymasterData.sol";
import {UserCheck} from "./UserCheck.sol";

/// @title The output network's side of an order
/// @notice Validation keeps the order in transient storage, the account's own batch claims it, postOp records the
/// failure if it did not. Nothing is claimable in a later transaction.
abstract contract Claims is Administration, UserCheck, IPaymaster {
    using OrderLib for Order;
    using TransientSlot for *;

    /// @notice Thrown when the caller is not EntryPoint.
    error NotEntryPoint(address caller);

    /// @notice Thrown when an order is validated while new orders are paused.
    error OrdersPaused();

    /// @notice Thrown when an order debits the network on which it is claimed.
    error DebitOnOutputNetwork();

    /// @notice Thrown when paymasterPostOpGasLimit is below MIN_POST_OP_GAS.
    error PostOpGasTooLow(uint256 limit);

    /// @notice Thrown when no order of the caller with this nonce was validated in this transaction and is still
    /// unclaimed.
    error NothingToClaim(address account, uint256 nonce);

    /// @notice Thrown when an order's validUntil is further away than MAX_VALIDITY, on which all delays rest.
    error ValidityTooLong(uint48 validUntil);

    event OrderClaimed(
        bytes32 indexed orderHash, address indexed account, uint256 indexed nonce, uint256 amount
    );
    event OrderFailed(bytes32 indexed orderHash, address indexed account, uint256 indexed nonce);

    /// @dev keccak256 of it, the account and the nonce is the first of the two transient slots of an order.
    bytes32 private constant PENDING_NAMESPACE = keccak256("lanyard.SmartBalance.pending");

    /// @dev One slot for both, which halves what a settlement stores.
    struct Record {
        Outcome outcome;
        uint128 settledAmount;
    }

    mapping(bytes32 orderHash => Record) internal _records;

    modifier onlyEntryPoint() {
        if (msg.sender != ENTRY_POINT) revert NotEntryPoint(msg.sender);
        _;
    }

    /// @notice What became of an order: on its output network as it happened, on a source as it was settled. The
    /// hash contains the output network, so the two never meet.
    function outcome(bytes32 orderHash) external view returns (Outcome) {
        return _records[orderHash].outcome;
    }

    /// @inheritdoc IPaymaster
    /// @dev Reads no clock (ERC-7562 OP-011): the order's validity is in the result. A wrong signature is answered,
    /// after everything else was done, with SIG_VALIDATION_FAILED, so that estimation with stub signatures measures
    /// the whole path; EntryPoint then reverts the transaction, what was stored included. A sponsorship (no debits,
    /// nothing lent) neither checks the user's signature, so that session keys and accounts without a pin can have
    /// it, nor has a postOp or anything to claim.
    /// Reverts with NotEntryPoint, ReentrancyGuardReentrantCall (inside a held lock the claim could only fail, at
    /// the account's expense), OrdersPaused, MalformedPaymasterData, DebitsNotAscending, FailFeeAboveAmount,
    /// DebitsTooHigh, FailFeesTooHigh, DebitOnOutputNetwork, PostOpGasTooLow, and without data on a broken encoding
    /// of a passkey's signature.
    function validatePaymasterUserOp(PackedUserOperation calldata userOp, bytes32, uint256)
        external
        onlyEntryPoint
        nonReentrantView
        returns (bytes memory context, uint256 validationData)
    {
        if (paused) revert OrdersPaused();
        Order memory order = PaymasterData.decode(userOp.paymasterAndData);
        order.checkBounds();
        if (order.debitOn(block.chainid).chainId != 0) revert DebitOnOutputNetwork();
        Operation memory operation = Operation({
            account: userOp.sender,
            nonce: userOp.nonce,
            initCodeHash: keccak256(userOp.initCode),
            callDataHash: keccak256(userOp.callData),
            accountGasLimits: userOp.accountGasLimits,
            preVerificationGas: userOp.preVerificationGas,
            gasFees: userOp.gasFees
        });
        bytes32 orderHash = order.hash(block.chainid, operation);

        bool signed = true;
        if (!order.isSponsorship()) {
            // The lower half of the two limits.
            uint256 postOpGas = uint128(uint256(order.paymasterGasLimits));
            if (postOpGas < MIN_POST_OP_GAS) revert PostOpGasTooLow(postOpGas);
            _storePending(userOp.sender, userOp.nonce, orderHash, order);
            context = abi.encode(orderHash, userOp.sender, userOp.nonce);
            signed = _isSignedByUser(
                block.chainid, operation, order, userOp.paymasterAndData, userOp.signature
            );
        }
        // Asked whatever the user's signature is: a stub must not make validation cheaper than the real one.
        bool approved = _isSignedByOperator(orderHash, order.operatorSignature);
        // ERC-4337: uint48 validAfter, uint48 validUntil, then 1 for a wrong signature.
        validationData = uint256(order.validUntil) << 160;
        if (!signed || !approved) validationData |= 1;
    }

    /// @notice Pays the lent amount of the caller's order with this nonce, once, in the transaction that validated
    /// it. Reverts with NothingToClaim, ValidityTooLong, OutflowCapExceeded, InsufficientLiquidity, or as the token
    /// refuses.
    /// @dev The nonce is an argument so that two queued operations differ. Another operation of the same account in
    /// the same bundle may claim it: the account gets what it signed for, once, all the same.
    function claim(uint256 nonce) external nonReentrant {
        bytes32 slot = _pendingSlot(msg.sender, nonce);
        bytes32 orderHash = slot.asBytes32().tload();
        // Settled already: postOp ran, and an inner revert brought the transient slots back.
        if (orderHash == 0 || _records[orderHash].outcome != Outcome.None) revert NothingToClaim(msg.sender, nonce);
        uint256 terms = _next(slot).asUint256().tload();
        slot.asBytes32().tstore(0);

        // As packed by _storePending.
        uint128 amount = uint128(terms);
        uint48 validUntil = uint48(terms >> 128);
        if (validUntil > block.timestamp + MAX_VALIDITY) revert ValidityTooLong(validUntil);
        _records[orderHash].outcome = Outcome.Claimed;
        emit OrderClaimed(orderHash, msg.sender, nonce, amount);
        if (amount == 0) return;
        _spendOutflow(amount);
        _pay(msg.sender, amount);
    }

    /// @inheritdoc IPaymaster
    /// @dev Records an operation that did not claim, whatever the mode, so that its failFee becomes due: burning
    /// this paymaster's gas costs the account. Reverts with NotEntryPoint.
    function postOp(PostOpMode, bytes calldata context, uint256, uint256) external onlyEntryPoint {
        (bytes32 orderHash, address account, uint256 nonce) = abi.decode(context, (bytes32, address, uint256));
        Record storage record = _records[orderHash];
        if (record.outcome != Outcome.None) return;
        record.outcome = Outcome.Failed;
        _pendingSlot(account, nonce).asBytes32().tstore(0);
        emit OrderFailed(orderHash, account, nonce);
    }

    function _isSignedByOperator(bytes32 orderHash, bytes memory signature) private view returns (bool) {
        (address operator,,) = ECDSA.tryRecover(orderHash, signature);
        return operator != address(0) && isOperator[operator];
    }

    function _storePending(address account, uint256 nonce, bytes32 orderHash, Order memory order) private {
        bytes32 slot = _pendingSlot(account, nonce);
        slot.asBytes32().tstore(orderHash);
        _next(slot).asUint256().tstore(uint256(order.validUntil) << 128 | order.claimAmount);
    }

    function _pendingSlot(address account, uint256 nonce) private pure returns (bytes32) {
        return keccak256(abi.encode(PENDING_NAMESPACE, account, nonce));
    }

    function _next(bytes32 slot) private pure returns (bytes32) {
        return bytes32(uint256(slot) + 1);
    }
}
