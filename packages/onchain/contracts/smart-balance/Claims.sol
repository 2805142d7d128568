// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {IPaymaster, PackedUserOperation} from "../interfaces/ERC4337.sol";
import {Outcome} from "../interfaces/IOutcomeVerifier.sol";
import {Administration} from "./Administration.sol";
import {MAX_VALIDITY, MIN_POST_OP_GAS, PROBE_GAS} from "./Constants.sol";
import {Operation, Order, OrderLib} from "./libraries/Order.sol";
import {PaymasterData} from "./libraries/PaymasterData.sol";
import {UserCheck} from "./UserCheck.sol";

/// @title The output network's side of an order
/// @notice Validation stores the order in transient storage, the account's own batch claims it, and postOp records a
/// failure if it was not claimed. Nothing can be claimed in a later transaction.
abstract contract Claims is Administration, UserCheck, IPaymaster {
    using OrderLib for Order;
    using SafeERC20 for IERC20;
    using TransientSlot for *;

    /// @notice Thrown if the caller is not EntryPoint.
    error NotEntryPoint(address caller);

    /// @notice Thrown if an order is validated while new orders are paused.
    error OrdersPaused();

    /// @notice Thrown if an order debits the network on which it is claimed.
    error DebitOnOutputNetwork();

    /// @notice Thrown if paymasterPostOpGasLimit is below MIN_POST_OP_GAS.
    error PostOpGasTooLow(uint256 limit);

    /// @notice Thrown unless an order of the caller with this nonce was validated in this transaction and is still
    /// unclaimed.
    error NothingToClaim(address account, uint256 nonce);

    /// @notice Thrown if an order's validUntil is further away than MAX_VALIDITY, on which all delays depend. EntryPoint
    /// rejects such an operation before, since validation returns validAfter = validUntil − MAX_VALIDITY.
    error ValidityTooLong(uint48 validUntil);

    /// @notice Thrown by {probe} if the loan could be paid now.
    error LoanPayable();

    /// @notice Thrown by {probe} if cap or liquidity is below the loan.
    error LoanUnfunded();

    /// @notice The arguments of {Settlement-settle}, so that a settlement needs only this network's logs. Emitted where
    /// the order becomes claimable, however EntryPoint is called: there is no claim without this event.
    event OrderSigned(
        bytes32 indexed orderHash, Operation operation, bytes paymasterAndData, bytes signature
    );
    event OrderClaimed(
        bytes32 indexed orderHash, address indexed account, uint256 indexed nonce, uint256 amount
    );
    event OrderFailed(bytes32 indexed orderHash, address indexed account, uint256 indexed nonce);
    /// @notice The operation did not claim, and could not have: cap or liquidity is below the loan, or the token refuses
    /// every transfer.
    event OrderUnfunded(bytes32 indexed orderHash, address indexed account, uint256 indexed nonce);

    /// @dev The keccak256 hash of this, the account and the nonce is the first of an order's two transient slots.
    bytes32 private constant PENDING_NAMESPACE = keccak256("lanyard.SmartBalance.pending");

    /// @dev One slot.
    struct Settled {
        Outcome outcome;
        /// The amount that a source has taken so far, in 6-decimals units; 0 on the output network.
        uint128 amount;
        /// The lower 120 bits of the order's hash.
        uint120 order;
    }

    /// @notice The outcome of an account's operation with this nonce on the network `chainId`: as it happened if that
    /// is this network, otherwise as it was settled here. An operation happens once, and so does its order, however
    /// many orders were signed for its nonce.
    mapping(address account => mapping(uint256 chainId => mapping(uint256 nonce => Settled))) public settled;

    modifier onlyEntryPoint() {
        if (msg.sender != ENTRY_POINT) revert NotEntryPoint(msg.sender);
        _;
    }

    /// @inheritdoc IPaymaster
    /// @dev Does not read the clock (ERC-7562 OP-011): the result contains the order's validity. A wrong signature
    /// returns SIG_VALIDATION_FAILED after all other steps, so that an estimate with stub signatures measures the
    /// complete path. EntryPoint then reverts the transaction and everything that it stored. A sponsorship (no debits,
    /// no loan) does not check the user's signature, so that session keys and accounts without a pin can use it, and
    /// has no postOp and nothing to claim. Reverts with NotEntryPoint, ReentrancyGuardReentrantCall (inside a held lock
    /// the claim could only fail, at the account's expense), OrdersPaused, MalformedPaymasterData, DebitsNotAscending,
    /// FailFeeAboveAmount, DebitsTooHigh, FailFeesTooHigh, DebitOnOutputNetwork, PostOpGasTooLow, and without data if
    /// the encoding of a passkey's signature is broken.
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
            emit OrderSigned(orderHash, operation, userOp.paymasterAndData, userOp.signature);
            context = abi.encode(orderHash, userOp.sender, userOp.nonce, order.claimAmount);
            // Before that, {claim} would reject it, and the account would owe failFees for the operator's mistake.
            validationData = uint256(order.validUntil - MAX_VALIDITY) << 208;
            signed = _isSignedByUser(
                block.chainid, operation, order, userOp.paymasterAndData, userOp.signature
            );
        }
        // Checked whatever the user's signature is: a stub must not make validation cheaper than a real signature.
        bool approved = _isSignedByOperator(orderHash, order.operatorSignature);
        // ERC-4337: uint48 validAfter, uint48 validUntil, then 1 for a wrong signature.
        validationData |= uint256(order.validUntil) << 160;
        if (!signed || !approved) validationData |= 1;
    }

    /// @notice Pays the loan of the caller's order with this nonce, once, in the transaction that validated it. Reverts
    /// with NothingToClaim, ValidityTooLong, OutflowCapExceeded, InsufficientLiquidity, or with the token's error.
    /// @dev The nonce is an argument so that two queued operations differ. Another operation of the same account in the
    /// same bundle may claim the order: the account still gets what it signed for, once.
    function claim(uint256 nonce) external nonReentrant {
        bytes32 slot = _pendingSlot(msg.sender, nonce);
        bytes32 orderHash = slot.asBytes32().tload();
        // A nonce has one outcome. If there is a record, an order is pending only if the nonce was validated again.
        // EntryPoint rejects that; the liquidity must not depend on EntryPoint.
        Settled storage record = settled[msg.sender][block.chainid][nonce];
        if (orderHash == 0 || record.outcome != Outcome.None) revert NothingToClaim(msg.sender, nonce);
        uint256 terms = _next(slot).asUint256().tload();
        slot.asBytes32().tstore(0);

        // As packed by _storePending.
        uint128 amount = uint128(terms);
        uint48 validUntil = uint48(terms >> 128);
        if (validUntil > block.timestamp + MAX_VALIDITY) revert ValidityTooLong(validUntil);
        _record(record, orderHash, Outcome.Claimed, 0);
        emit OrderClaimed(orderHash, msg.sender, nonce, amount);
        if (amount == 0) return;
        _spendOutflow(amount);
        _pay(msg.sender, amount);
    }

    /// @inheritdoc IPaymaster
    /// @dev Records an operation that did not claim, whatever the mode. Its failFee becomes due, so that using up this
    /// paymaster's gas costs the account, unless a claim could not have been paid ({probe}). A claim that the account
    /// itself reverted has given its part of cap and liquidity back. Reverts with NotEntryPoint.
    function postOp(PostOpMode, bytes calldata context, uint256, uint256) external onlyEntryPoint {
        (bytes32 orderHash, address account, uint256 nonce, uint128 claimAmount) =
            abi.decode(context, (bytes32, address, uint256, uint128));
        Settled storage record = settled[account][block.chainid][nonce];
        if (record.outcome != Outcome.None) return;
        _pendingSlot(account, nonce).asBytes32().tstore(0);
        if (_isPayable(claimAmount)) {
            _record(record, orderHash, Outcome.Failed, 0);
            emit OrderFailed(orderHash, account, nonce);
        } else {
            _record(record, orderHash, Outcome.Unfunded, 0);
            emit OrderUnfunded(orderHash, account, nonce);
        }
    }

    /// @notice Always reverts, and so changes nothing: with LoanPayable if a loan of `amount` could be paid now,
    /// otherwise with LoanUnfunded or the token's error. Anyone may call it, for example to measure its gas.
    /// @dev Transfers to this contract itself. A token that refuses even that is paused, or blocks this contract. One
    /// that refuses only the account says nothing here: otherwise a blocked account could use up gas for free.
    function probe(uint128 amount) external {
        if (!_isFunded(amount)) revert LoanUnfunded();
        token.safeTransfer(address(this), amount * SCALE);
        revert LoanPayable();
    }

    /// @dev Whether a claim of `amount` would be paid now, except to an account that the token blocks.
    function _isPayable(uint128 amount) private returns (bool) {
        if (amount == 0) return true;
        uint256 before = gasleft();
        // solhint-disable-next-line no-empty-blocks
        try this.probe{gas: PROBE_GAS}(amount) {}
        catch (bytes memory reason) {
            if (bytes4(reason) == LoanPayable.selector) return true;
        }
        // Each of three nested calls keeps a 64th back.
        return before - gasleft() > PROBE_GAS - PROBE_GAS / 16;
    }

    /// @dev Writes the complete slot.
    function _record(Settled storage record, bytes32 orderHash, Outcome outcome, uint128 amount) internal {
        record.outcome = outcome;
        record.amount = amount;
        record.order = _shortHash(orderHash);
    }

    function _shortHash(bytes32 orderHash) internal pure returns (uint120) {
        return uint120(uint256(orderHash));
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
