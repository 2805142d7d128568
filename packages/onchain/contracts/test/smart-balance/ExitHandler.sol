// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {SETTLEMENT_WINDOW} from "../../smart-balance/Constants.sol";
import {Settling} from "../../smart-balance/Settlement.sol";
import {Campaign} from "./Campaign.sol";

/// @notice An account that exits at every bad moment, and an operator that signs only orders that are covered by the
/// protocol's definition: by deposits without exits that become ready before an order can be settled, and without the
/// debts of open orders. The delays then guarantee that a settler in the last second of the window still collects
/// everything.
contract ExitHandler is Campaign {
    struct Owed {
        Settling item;
        uint64 source;
        uint128 due;
        uint256 closesAt;
        bool settled;
    }

    /// @dev Ghost variables: broken guarantees.
    uint256 public shortfalls;
    uint256 public ripeExitsRefused;
    /// @dev Ghost variables: counts of events that a campaign must reach.
    uint256 public orders;
    uint256 public settlements;
    uint256 public exits;
    uint256 public leftOwing;

    Owed[] private _owed;

    function deposit(uint256 seed, uint256 amount) external step(seed) {
        _deposit(account, uint128(bound(amount, 1, 300e6)));
    }

    function order(uint256 seed, uint256 amount, bool claiming) external step(seed) {
        Draft memory draft = _draft();
        uint64 source = network == O ? A : O;
        uint256 covered = _coveredOn(source, draft.validUntil + SETTLEMENT_WINDOW);
        if (covered == 0) return;
        draft.claimAmount = uint128(bound(amount, 1, 150e6));
        // A small amount, or nearly everything.
        uint256 highest = _min(covered, draft.claimAmount + 50e6);
        draft.debits[0].chainId = source;
        draft.debits[0].amount = uint128(amount % 2 == 0 ? highest : bound(amount, 1, highest));
        draft.debits[0].failFee = uint64(_min(draft.debits[0].amount, 3e6));
        if (!claiming) draft.callData = _call(address(0xDEAD), "");
        _place(draft, source);
    }

    function requestExit(uint256 seed, uint256 amount) external step(seed) {
        uint256 balance = _balance(account);
        if (balance == 0) return;
        vm.prank(account);
        smartBalance.requestExit(uint128(bound(amount, 1, balance)));
    }

    function cancelExit(uint256 seed) external step(seed) {
        (, uint128 exiting,) = smartBalance.accounts(account);
        if (exiting == 0) return;
        vm.prank(account);
        smartBalance.cancelExit();
    }

    function finalizeExit(uint256 seed) external step(seed) {
        _finalizeIfRipe();
    }

    function settle(uint256 index) external {
        if (_owed.length == 0) return;
        index %= _owed.length;
        if (!_owed[index].settled) _settleNow(index, _owed[index].source == O ? 0 : 1);
    }

    /// @dev Requests everything while it has debts, takes it as soon as possible, and the settler comes last.
    function leaveOwing(uint256 index) external {
        if (_owed.length == 0) return;
        index %= _owed.length;
        if (!_owed[index].settled) _leaveOwing(index, _owed[index].source == O ? 0 : 1);
    }

    function wait(uint256 time, bool isLong) external step(0) {
        vm.warp(block.timestamp + bound(time, 1, isLong ? 2 days : 1 hours));
    }

    function _place(Draft memory draft, uint64 source) private {
        PackedUserOperation memory op = _build(draft);
        bytes32 orderHash = _orderHash(draft, op);
        _handle(op);
        Outcome outcome = _outcome(account, op.nonce);
        if (outcome == Outcome.Unfunded) return;
        _owed.push();
        Owed storage owed = _owed[_owed.length - 1];
        owed.item.chainId = network;
        owed.item.signed.operation = _signed(op).operation;
        owed.item.signed.paymasterAndData = op.paymasterAndData;
        owed.item.signed.signature = op.signature;
        owed.item.outcome = outcome;
        owed.item.proof = _attest(orderHash, outcome);
        owed.source = source;
        owed.due = outcome == Outcome.Claimed ? draft.debits[0].amount : draft.debits[0].failFee;
        owed.closesAt = draft.validUntil + SETTLEMENT_WINDOW;
        ++orders;
    }

    function _leaveOwing(uint256 index, uint256 seed) private step(seed) {
        Owed storage owed = _owed[index];
        uint256 balance = _balance(account);
        if (block.timestamp > owed.closesAt || balance == 0) return;
        vm.prank(account);
        smartBalance.requestExit(uint128(balance));
        vm.warp(owed.closesAt);
        _finalizeIfRipe();
        _collect(owed);
        ++leftOwing;
    }

    function _settleNow(uint256 index, uint256 seed) private step(seed) {
        if (block.timestamp <= _owed[index].closesAt) _collect(_owed[index]);
    }

    function _collect(Owed storage owed) private {
        Settling memory item = owed.item;
        vm.prank(SETTLER);
        try smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof) returns (uint128 taken) {
            if (taken < owed.due) ++shortfalls;
        } catch {
            ++shortfalls;
        }
        owed.settled = true;
        ++settlements;
    }

    function _finalizeIfRipe() private {
        (, uint128 exiting, uint48 readyAt) = smartBalance.accounts(account);
        if (exiting == 0 || block.timestamp < readyAt) return;
        vm.prank(account);
        try smartBalance.finalizeExit(account) {
            ++exits;
        } catch {
            ++ripeExitsRefused;
        }
    }

    /// @dev Off chain, this is the service's reservation.
    function _coveredOn(uint64 source, uint256 closesAt) private returns (uint256) {
        uint64 here = network;
        _on(source);
        (uint128 balance, uint128 exiting, uint48 readyAt) = smartBalance.accounts(account);
        _on(here);
        uint256 held = exiting != 0 && readyAt <= closesAt ? exiting : 0;
        for (uint256 i; i < _owed.length; ++i) {
            Owed storage owed = _owed[i];
            if (owed.source == source && !owed.settled && block.timestamp <= owed.closesAt) held += owed.due;
        }
        return balance > held ? balance - held : 0;
    }

    function _min(uint256 left, uint256 right) private pure returns (uint256) {
        return left < right ? left : right;
    }
}
