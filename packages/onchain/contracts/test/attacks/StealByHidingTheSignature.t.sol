// SPDX-License-Identifier: MIT
// @promise 13 23 A.1
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {Debit, Operation} from "../../smart-balance/libraries/Order.sol";
import {Settling, SignedOperation} from "../../smart-balance/Settlement.sol";
import {IEntryPoint} from "../smart-balance/RealContracts.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";
import {Vm} from "../Test.sol";

/// @dev Forwards any given data, so that the transaction's calldata need not contain the operation.
contract Forwarder {
    bytes private _stored;

    function store(bytes calldata data) external {
        _stored = data;
    }

    function forward(address target) external {
        (bool success,) = target.call(_stored);
        require(success);
    }
}

/// @notice Attack: borrow on O in a way that hides the owner's signature from the settler, so that the debit lapses.
/// @dev Guard: OrderSigned is emitted in the frame that makes the order claimable. Each test settles using only that
/// log.
contract StealByHidingTheSignatureTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(300e6);
        _on(O);
    }

    function test_byHandleOps() public {
        PackedUserOperation memory op = _build(_draft());
        vm.recordLogs();
        _handle(op);
        _expectCollected(Outcome.Claimed, 101e6);
    }

    function test_byHandleAggregatedOps() public {
        PackedUserOperation memory op = _build(_draft());
        vm.recordLogs();
        entryPoint.handleAggregatedOps(_aggregated(op), BUNDLER);
        _expectCollected(Outcome.Claimed, 101e6);
    }

    function test_byAForwardingContract() public {
        PackedUserOperation memory op = _build(_draft());
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        Forwarder forwarder = new Forwarder();
        forwarder.store(abi.encodeCall(entryPoint.handleOps, (ops, BUNDLER)));
        vm.recordLogs();
        // EntryPoint v0.7 does not require an EOA as its caller.
        forwarder.forward(address(entryPoint));
        _expectCollected(Outcome.Claimed, 101e6);
    }

    function test_byAnOperationThatFails() public {
        Draft memory draft = _draft();
        draft.callData = _call(address(0xDEAD), "");
        PackedUserOperation memory op = _build(draft);
        vm.recordLogs();
        entryPoint.handleAggregatedOps(_aggregated(op), BUNDLER);
        _expectCollected(Outcome.Failed, 2e6);
    }

    /// @dev The second of two operations in one bundle claims it: both logs exist.
    function test_byAnotherOperationInTheBundle() public {
        Draft memory first = _draft();
        Draft memory second = _draft();
        second.nonce = 1 << 64;
        second.callData = _claimCall(first.nonce);
        first.callData = _call(address(0xDEAD), "");
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        (ops[0], ops[1]) = (_build(second), _build(first));
        vm.recordLogs();
        entryPoint.handleOps(ops, BUNDLER);
        Vm.Log[] memory logs = _signedLogs();
        assertEq(logs.length, 2, "logs");
        assertEq(_settleFrom(logs[1], Outcome.Claimed), 101e6, "the claimed order");
        assertEq(_settleFrom(logs[0], Outcome.Failed), 2e6, "the order that was not claimed");
    }

    /// @dev Nothing is owed and nothing is claimable, so no bytes are published without need.
    function test_aSponsorshipLeavesNoLog() public {
        Draft memory draft = _draft();
        draft.claimAmount = 0;
        draft.debits = new Debit[](0);
        draft.callData = _call(address(0xDEAD), "");
        PackedUserOperation memory op = _build(draft);
        vm.recordLogs();
        _handle(op);
        assertEq(_signedLogs().length, 0, "logs");
    }

    function _aggregated(PackedUserOperation memory op)
        private
        pure
        returns (IEntryPoint.UserOpsPerAggregator[] memory aggregated)
    {
        aggregated = new IEntryPoint.UserOpsPerAggregator[](1);
        aggregated[0].userOps = new PackedUserOperation[](1);
        aggregated[0].userOps[0] = op;
    }

    function _expectCollected(Outcome outcome, uint128 due) private {
        Vm.Log[] memory logs = _signedLogs();
        assertEq(logs.length, 1, "logs");
        assertEq(_settleFrom(logs[0], outcome), due, "collected");
    }

    /// @dev Settles on A with the data of the log on O and an attestation.
    function _settleFrom(Vm.Log memory log, Outcome outcome) private returns (uint128) {
        SignedOperation memory signed;
        (signed.operation, signed.paymasterAndData, signed.signature) =
            abi.decode(log.data, (Operation, bytes, bytes));
        Settling memory item = Settling(O, signed, outcome, _attest(log.topics[1], outcome));
        _on(A);
        return _settle(item);
    }

    function _signedLogs() private returns (Vm.Log[] memory found) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        found = new Vm.Log[](logs.length);
        uint256 count;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter != address(smartBalance)) continue;
            if (logs[i].topics[0] == Claims.OrderSigned.selector) found[count++] = logs[i];
        }
        assembly ("memory-safe") {
            mstore(found, count)
        }
    }
}
