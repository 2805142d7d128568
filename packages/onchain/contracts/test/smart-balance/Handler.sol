// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Debit} from "../../smart-balance/libraries/Order.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {Campaign} from "./Campaign.sol";

/// @notice Actions of a user, a settler, and an operator that checks only pins, on two networks, O and A, with the real
/// EntryPoint and a real Safe. Orders run on either network and debit the other. Ghost variables hold the expected
/// state after each step; nothing here is expected to revert.
contract Handler is Campaign {
    struct Placed {
        Settling item;
        bytes32 orderHash;
        uint64 source;
        uint128 due;
        uint128 taken;
        uint48 validUntil;
    }

    address internal constant SAVER = address(0x5A4E);

    /// @dev Ghost variables: the expected ledger of a network.
    mapping(uint64 network => uint256) public expectedBalance;
    mapping(uint64 network => uint256) public expectedReceived;
    /// @dev Ghost variables: broken guarantees.
    uint256 public ripeExitsRefused;
    uint256 public settlementsRefused;
    uint256 public debitsExceeded;
    uint256 public claimsRepeated;
    /// @dev Ghost variables: counts of events that a campaign must reach.
    uint256 public claims;
    uint256 public failures;
    uint256 public unfunded;
    uint256 public settlements;
    uint256 public exits;

    Placed[] private _orders;

    function setUp() public override {
        super.setUp();
        for (uint64 id = O; id <= A; ++id) {
            _on(id);
            _deposit(SAVER, 77e6);
            expectedBalance[id] = 500e6;
        }
        _on(O);
    }

    function deposit(uint256 seed, uint256 amount) external step(seed) {
        amount = bound(amount, 1, 300e6);
        _deposit(account, uint128(amount));
        expectedBalance[network] += amount;
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
        (, uint128 exiting, uint48 readyAt) = smartBalance.accounts(account);
        if (exiting == 0 || block.timestamp < readyAt) return;
        vm.prank(account);
        try smartBalance.finalizeExit(account) {
            expectedBalance[network] -= exiting;
            expectedReceived[network] += exiting;
            ++exits;
        } catch {
            ++ripeExitsRefused;
        }
    }

    /// @dev A mix of claims and failures, and of amounts beyond cap, liquidity and deposit.
    function order(uint256 seed, uint256 amount, uint256 debit, bool claiming) external step(seed) {
        Draft memory draft = _draft();
        uint64 source = network == O ? A : O;
        draft.claimAmount = uint128(bound(amount, 0, amount % 8 == 0 ? 1_500e6 : 150e6));
        // Half of the time within the existing deposit.
        uint256 highest = draft.claimAmount + 50e6;
        debit = bound(debit, 1, debit % 2 == 0 ? highest : _min(highest, expectedBalance[source] + 1));
        draft.debits[0] = Debit(source, uint128(debit), uint64(_min(debit, 3e6)));
        if (!claiming) draft.callData = _call(address(0xDEAD), "");
        if (!_isPinnedOn(source)) return;
        _place(draft);
    }

    function settle(uint256 index) external {
        if (_orders.length == 0) return;
        index %= _orders.length;
        _settleOne(index, _orders[index].source == O ? 0 : 1);
    }

    function withdraw(uint256 seed, uint256 amount, uint256 fee, bytes32 salt) external step(seed) {
        (uint128 balance, uint128 exiting,) = smartBalance.accounts(account);
        uint256 free = balance - exiting;
        amount = bound(amount, 0, free);
        fee = bound(fee, 0, _min(free - amount, 1e6));
        bytes32 typeHash = keccak256(
            "Withdraw(address account,address to,uint128 amount,uint128 fee,bytes32 salt,uint48 deadline)"
        );
        uint48 deadline = uint48(block.timestamp);
        bytes32 structHash = keccak256(abi.encode(typeHash, account, account, amount, fee, salt, deadline));
        bytes memory signature = _sign(
            OPERATOR_KEY, keccak256(abi.encodePacked("\x19\x01", _domain(block.chainid), structHash))
        );
        vm.prank(account);
        // Rejected only if fuzzing repeats a salt in one second.
        try smartBalance.withdraw(account, uint128(amount), uint128(fee), salt, deadline, signature) {
            expectedBalance[network] -= amount + fee;
            expectedReceived[network] += amount;
        } catch {}
    }

    /// @dev Pinned most of the time, since there are no orders without pins.
    function changePin(uint256 seed) external step(seed) {
        bool isPinned = _isPinnedOn(network);
        vm.startPrank(account);
        if (!isPinned) smartBalance.addSigner(_ownerId());
        else if (seed % 8 < 2) smartBalance.removeSigner(_ownerId());
        vm.stopPrank();
    }

    function ownerTakesLiquidity(uint256 seed, uint256 amount) external step(seed) {
        amount = bound(amount, 0, smartBalance.liquidity() / 4);
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, uint128(amount));
    }

    /// @dev Minutes or days, so that orders settle in time, late, and never, and exits become ready.
    function wait(uint256 time, bool isLong) external step(0) {
        vm.warp(block.timestamp + bound(time, 1, isLong ? 4 days : 1 hours));
    }

    /// @dev Compares the ledger of one network with the ghost variables.
    function check(uint256 seed) external step(seed) {
        uint256 balance = _balance(account);
        assertEq(balance, expectedBalance[network], "balance moved only as signed");
        assertEq(_balance(SAVER), 77e6, "the other account's balance");
        assertEq(smartBalance.totalDeposits(), balance + 77e6, "sum of balances");
        uint256 held = tokenOn[network].balanceOf(address(smartBalance));
        uint256 scale = smartBalance.SCALE();
        assertTrue(held >= smartBalance.totalDeposits() * scale, "deposits are covered");
        uint256 received = tokenOn[network].balanceOf(account);
        assertEq(received, expectedReceived[network] * scale, "received what was claimed and paid");
        uint256 rest = tokenOn[network].balanceOf(ADMIN);
        assertEq(held + received + rest, tokenOn[network].totalSupply(), "tokens are conserved");
    }

    function _place(Draft memory draft) private {
        PackedUserOperation memory op = _build(draft);
        bytes32 orderHash = _orderHash(draft, op);
        _handle(op);
        // The same operation again.
        try this.handle(op) {
            ++claimsRepeated;
        } catch {}
        Outcome outcome = _outcome(account, op.nonce);
        if (outcome == Outcome.Unfunded) {
            ++unfunded;
            return;
        }
        _orders.push();
        Placed storage placed = _orders[_orders.length - 1];
        placed.item.chainId = network;
        placed.item.signed.operation = _signed(op).operation;
        placed.item.signed.paymasterAndData = op.paymasterAndData;
        placed.item.signed.signature = op.signature;
        placed.item.outcome = outcome;
        placed.item.proof = _attest(orderHash, outcome);
        placed.orderHash = orderHash;
        placed.source = draft.debits[0].chainId;
        placed.validUntil = draft.validUntil;
        placed.due = outcome == Outcome.Claimed ? draft.debits[0].amount : draft.debits[0].failFee;
        if (outcome == Outcome.Claimed) {
            ++claims;
            expectedReceived[network] += draft.claimAmount;
        } else {
            ++failures;
        }
    }

    /// @dev Only for the try above.
    function handle(PackedUserOperation calldata op) external {
        require(msg.sender == address(this));
        _handle(op);
    }

    function _settleOne(uint256 index, uint256 seed) private step(seed) {
        Placed storage placed = _orders[index];
        Settling memory item = placed.item;
        uint256 balance = expectedBalance[network];
        vm.prank(SETTLER);
        try smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof) returns (uint128 taken) {
            placed.taken += taken;
            expectedBalance[network] -= taken;
            ++settlements;
            if (placed.taken > placed.due) ++debitsExceeded;
        } catch (bytes memory reason) {
            bool isClosed = block.timestamp > placed.validUntil + 5 days;
            bool hasNothing = bytes4(reason) == Settlement.NothingToSettle.selector
                && (balance == 0 || placed.taken == placed.due);
            if (!isClosed && !hasNothing) ++settlementsRefused;
        }
    }

    /// @dev The operator checks the pins before it signs, on the source itself.
    function _isPinnedOn(uint64 source) private returns (bool isPinned) {
        uint64 here = network;
        _on(source);
        isPinned = smartBalance.signerUntil(account, _ownerId()) == type(uint48).max;
        _on(here);
    }

    function _min(uint256 left, uint256 right) private pure returns (uint256) {
        return left < right ? left : right;
    }
}
