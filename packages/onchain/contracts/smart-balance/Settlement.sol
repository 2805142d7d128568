// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Outcome} from "../interfaces/IOutcomeVerifier.sol";
import {Claims} from "./Claims.sol";
import {MAX_SETTLEMENT_LEAD, SETTLEMENT_WINDOW} from "./Constants.sol";
import {Debit, Operation, Order, OrderLib} from "./libraries/Order.sol";
import {PaymasterData} from "./libraries/PaymasterData.sol";
import {Signers} from "./Signers.sol";

/// @notice An operation of another network as its account signed it.
struct SignedOperation {
    Operation operation;
    bytes paymasterAndData;
    /// As in the user operation: uint48 validAfter, uint48 validUntil, then Safe's signatures.
    bytes signature;
}

/// @notice One order to settle: the arguments of {Settlement-settle}.
struct Settling {
    uint256 chainId;
    SignedOperation signed;
    Outcome outcome;
    bytes proof;
}

/// @title A source network's side of an order
/// @notice Moves the amount that an account signed for from its deposit to liquidity. This needs a settler to call it,
/// the account's pinned signature, and proof of the outcome. The operator's signature is ignored, so that revoking an
/// operator strands nothing.
abstract contract Settlement is Claims, Signers {
    using OrderLib for Order;

    /// @notice Thrown if the operation ran on this network.
    error SettlementOnOutputNetwork();

    /// @notice Thrown if the operation names another paymaster.
    error OtherPaymaster(address paymaster);

    /// @notice Thrown if the order has no debit on this network.
    error NoDebitHere();

    /// @notice Thrown if validUntil + SETTLEMENT_WINDOW has passed.
    error SettlementClosed(uint256 closedAt);

    /// @notice Thrown if validUntil is more than MAX_SETTLEMENT_LEAD ahead.
    error SettlementNotOpen(uint256 opensAt);

    /// @notice Thrown if the order's signer was not pinned here until the order's validUntil.
    error SignerNotPinned(address account, bytes32 signer);

    /// @notice Thrown if the operation is not signed by the order's signer.
    error NotSignedByUser();

    /// @notice Thrown if the outcome is neither Claimed nor Failed, is not proven, or differs from the settled outcome.
    error OutcomeNotProven();

    /// @notice Thrown if another order of the same account, network and nonce was settled here. Only one of them can
    /// have happened.
    error OtherOrderSettled();

    /// @notice Thrown if nothing more is due, or the account has nothing left.
    error NothingToSettle(bytes32 orderHash);

    /// @param amount The amount taken now.
    /// @param remaining The amount still due; it can be settled later if the account deposits again.
    event OrderSettled(
        bytes32 indexed orderHash,
        address indexed account,
        uint256 indexed chainId,
        Outcome outcome,
        uint256 amount,
        uint256 remaining
    );

    /// @notice Takes the amount that one order owes here: the debit if it was claimed, the failFee if it failed. If the
    /// account has less, it takes that, and the rest stays due. Reverts with any error of this contract, of {OrderLib}
    /// and {PaymasterData}, with NotSettler, and without data if the encoding of a passkey's signature is broken.
    /// @param chainId The output network.
    /// @param proof For the verifier.
    /// @return taken In 6-decimals units.
    function settle(uint256 chainId, SignedOperation calldata signed, Outcome outcome_, bytes calldata proof)
        external
        onlySettler
        returns (uint128 taken)
    {
        bytes32 orderHash;
        (orderHash, taken) = _settle(chainId, signed, outcome_, proof);
        if (taken == 0) revert NothingToSettle(orderHash);
    }

    /// @notice Settles several orders. Reverts as {settle} does, but skips orders with nothing to settle, so that a
    /// batch can be retried whatever the result of an earlier attempt.
    /// @return taken In 6-decimals units, in the order of the arguments.
    function settleBatch(Settling[] calldata batch) external onlySettler returns (uint128[] memory taken) {
        taken = new uint128[](batch.length);
        for (uint256 i; i < batch.length; ++i) {
            Settling calldata item = batch[i];
            (, taken[i]) = _settle(item.chainId, item.signed, item.outcome, item.proof);
        }
    }

    function _settle(uint256 chainId, SignedOperation calldata signed, Outcome outcome_, bytes calldata proof)
        private
        returns (bytes32 orderHash, uint128 taken)
    {
        if (chainId == block.chainid) revert SettlementOnOutputNetwork();
        address paymaster = PaymasterData.paymasterOf(signed.paymasterAndData);
        if (paymaster != address(this)) revert OtherPaymaster(paymaster);
        Order memory order = PaymasterData.decode(signed.paymasterAndData);
        order.checkBounds();
        Debit memory debit = order.debitOn(block.chainid);
        if (debit.chainId == 0) revert NoDebitHere();
        _checkUser(chainId, signed, order);

        orderHash = order.hash(chainId, signed.operation);
        Settled storage record = settled[signed.operation.account][chainId][signed.operation.nonce];
        Settled memory before = record;
        _checkSettledBefore(before, orderHash, outcome_);
        if (!verifier.verify(chainId, orderHash, outcome_, proof)) revert OutcomeNotProven();
        uint128 due = (outcome_ == Outcome.Claimed ? debit.amount : debit.failFee) - before.amount;
        taken = _take(signed.operation.account, due);
        if (taken == 0) return (orderHash, 0);
        _record(record, orderHash, outcome_, before.amount + taken);
        emit OrderSettled(orderHash, signed.operation.account, chainId, outcome_, taken, due - taken);
    }

    /// @dev The pin must last until validUntil, not until now: a source accepts what the output network accepted.
    function _checkUser(uint256 chainId, SignedOperation calldata signed, Order memory order) private view {
        uint256 closedAt = uint256(order.validUntil) + SETTLEMENT_WINDOW;
        if (block.timestamp > closedAt) revert SettlementClosed(closedAt);
        if (order.validUntil > block.timestamp + MAX_SETTLEMENT_LEAD) {
            revert SettlementNotOpen(order.validUntil - MAX_SETTLEMENT_LEAD);
        }
        address account = signed.operation.account;
        if (signerUntil(account, order.signer.id) < order.validUntil) {
            revert SignerNotPinned(account, order.signer.id);
        }
        bool isSigned =
            _isSignedByUser(chainId, signed.operation, order, signed.paymasterAndData, signed.signature);
        if (!isSigned) revert NotSignedByUser();
    }

    /// @dev Neither two proofs of different outcomes nor two orders of one nonce may add up.
    function _checkSettledBefore(Settled memory before, bytes32 orderHash, Outcome outcome_) private pure {
        if (outcome_ != Outcome.Claimed && outcome_ != Outcome.Failed) revert OutcomeNotProven();
        if (before.outcome == Outcome.None) return;
        if (before.order != _shortHash(orderHash)) revert OtherOrderSettled();
        if (before.outcome != outcome_) revert OutcomeNotProven();
    }

    /// @dev The exiting amount is taken last.
    function _take(address owner, uint128 due) private returns (uint128 taken) {
        Account storage account = accounts[owner];
        taken = due < account.balance ? due : account.balance;
        if (taken == 0) return 0;
        _debit(owner, taken);
        if (account.exiting > account.balance) account.exiting = account.balance;
    }
}
