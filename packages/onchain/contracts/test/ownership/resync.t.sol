// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice A network whose owners were changed by hand joins the others again.
contract ResyncTest is OwnershipTest {
    function test_default() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        bytes32 running = ownership.stateOf(account).recovery;
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryCancelled(account, running);
        vm.expectEmit(address(ownership));
        emit IOwnership.Resynced(account, 7, keccak256("head"));
        vm.prank(account);
        ownership.resync(7, keccak256("head"));
        assertEq(_sequence(), 7, "sequence");
        assertTrue(ownership.stateOf(account).head == keccak256("head"), "head");
        assertTrue(ownership.stateOf(account).recovery == 0, "ended");
        assertEq(ownership.stateOf(account).number, 0, "a sequence of its own numbers");
        assertTrue(
            ownership.stateOf(account).guardians == keccak256(abi.encode(_guardians())), "guardians stay"
        );
        vm.warp(block.timestamp + DELAY);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, owners, 1);
        _change(CANCEL, "");
        assertEq(_sequence(), 8, "goes on from there");
    }

    function test_bounds() public {
        _refused(0, 0);
        _refused(1_025, 0);
        vm.prank(account);
        ownership.resync(1_024, 0);
        _refused(1_024, 1_024);
        _refused(1_023, 1_024);
        _refused(type(uint64).max, 1_024);
        vm.prank(account);
        ownership.resync(1_025, 0);
    }

    /// @dev Anyone else moves only what is their own.
    function test_otherCallers() public {
        vm.prank(vm.addr(OWNER_KEY));
        ownership.resync(9, keccak256("head"));
        assertEq(_sequence(), 0, "the account's sequence stays");
    }

    function _refused(uint64 sequence, uint64 current) private {
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.InvalidResync.selector, sequence, current));
        ownership.resync(sequence, 0);
    }
}
