// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {AttestorSet} from "../../AttestorSet.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {PROPOSAL_LIFETIME, PROPOSAL_NOTICE} from "../../smart-balance/Constants.sol";
import {Proposal} from "../../smart-balance/libraries/Proposal.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract AttestorSetTest is SmartBalanceTest {
    bytes32 private constant ORDER = keccak256("order");
    address private constant NEW = address(0x4E3);

    function test_verify_default() public {
        assertTrue(_verify(_proof(0, 1)), "two of three");
        assertTrue(_verify(_proof(1, 2)), "another two");
        assertTrue(_verify(bytes.concat(_proof(0, 1), _one(2))), "all");
    }

    function test_verify_behavior_rejects() public {
        assertTrue(!_verify(""), "none");
        assertTrue(!_verify(_one(0)), "too few");
        assertTrue(!_verify(_proof(0, 0)), "the same one twice");
        assertTrue(!_verify(_proof(1, 0)), "not ascending");
        assertTrue(!_verify(bytes.concat(_proof(0, 1), hex"00")), "an extra byte");
        bytes32 digest = _attestationDigest(ORDER, Outcome.Claimed);
        assertTrue(!_verify(bytes.concat(_one(0), _sign(THIRD_PARTY_KEY, digest))), "a third party");
        bytes memory broken = new bytes(65);
        assertTrue(!_verify(bytes.concat(broken, _one(0))), "invalid signature");
    }

    /// @dev Attack 5. Guards: outcome and order hash are signed, and the domain contains the calling SmartBalance.
    function test_attack5_otherOutcomeOrderOrContract() public {
        bytes memory proof = _proof(0, 1);
        vm.startPrank(address(smartBalance));
        assertTrue(!attestorSet.verify(O, ORDER, Outcome.Failed, proof), "outcome");
        assertTrue(!attestorSet.verify(O, keccak256("other"), Outcome.Claimed, proof), "order");
        vm.stopPrank();
        assertTrue(!attestorSet.verify(O, ORDER, Outcome.Claimed, proof), "contract");
    }

    function test_addAttestor_default() public {
        vm.startPrank(ADMIN);
        attestorSet.proposeAttestor(NEW);
        vm.warp(block.timestamp + PROPOSAL_NOTICE - 1);
        vm.expectPartialRevert(Proposal.NotReady.selector);
        attestorSet.addAttestor(NEW);
        vm.warp(block.timestamp + 1);
        attestorSet.addAttestor(NEW);
        vm.expectPartialRevert(Proposal.NotProposed.selector);
        attestorSet.addAttestor(NEW);
        vm.stopPrank();
        assertTrue(attestorSet.isAttestor(NEW), "added");
        assertEq(attestorSet.attestorCount(), 4, "n");
    }

    /// @dev Alerts and whoever may want to leave read these.
    function test_logs() public {
        uint48 readyAt = uint48(block.timestamp) + PROPOSAL_NOTICE;
        vm.startPrank(ADMIN);
        vm.expectEmit(address(attestorSet));
        emit AttestorSet.AttestorProposed(NEW, readyAt);
        attestorSet.proposeAttestor(NEW);
        vm.expectEmit(address(attestorSet));
        emit AttestorSet.ThresholdProposed(1, readyAt);
        attestorSet.proposeThreshold(1);
        vm.warp(readyAt);
        vm.expectEmit(address(attestorSet));
        emit AttestorSet.AttestorAdded(NEW);
        attestorSet.addAttestor(NEW);
        vm.expectEmit(address(attestorSet));
        emit AttestorSet.ThresholdSet(1);
        attestorSet.applyThreshold();
        vm.expectEmit(address(attestorSet));
        emit AttestorSet.AttestorRemoved(NEW);
        attestorSet.removeAttestor(NEW);
        vm.stopPrank();
    }

    function test_proposeAttestor_error_InvalidAttestor() public {
        vm.startPrank(ADMIN);
        vm.expectPartialRevert(AttestorSet.InvalidAttestor.selector);
        attestorSet.proposeAttestor(address(0));
        vm.expectPartialRevert(AttestorSet.InvalidAttestor.selector);
        attestorSet.proposeAttestor(vm.addr(attestorKeys[0]));
    }

    function test_removeAttestor_isImmediate() public {
        vm.prank(ADMIN);
        attestorSet.removeAttestor(vm.addr(attestorKeys[0]));
        assertTrue(!_verify(_proof(0, 1)), "no longer counts");
        assertTrue(_verify(_proof(1, 2)), "the others count");
        assertEq(attestorSet.attestorCount(), 2, "count");
        vm.prank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(AttestorSet.InvalidThreshold.selector, 3, 2));
        attestorSet.raiseThreshold(3);
    }

    function test_verify_sameAttestorTwice() public {
        for (uint256 i; i < 3; ++i) {
            assertTrue(!_verify(_proof(i, i)), "one attestor is not two");
        }
    }

    function test_applyThreshold_once() public {
        AttestorSet set = _set(4, 3);
        set.proposeThreshold(1);
        vm.warp(block.timestamp + PROPOSAL_NOTICE);
        set.applyThreshold();
        assertEq(set.pendingThreshold(), 0, "forgotten");
        assertEq(set.thresholdReadyAt(), 0, "forgotten");
        set.raiseThreshold(3);
        vm.expectRevert(abi.encodeWithSelector(Proposal.NotProposed.selector));
        set.applyThreshold();
        AttestorSet other = _set(4, 3);
        other.proposeThreshold(2);
        vm.warp(block.timestamp + PROPOSAL_NOTICE);
        other.applyThreshold();
        vm.expectRevert(abi.encodeWithSelector(Proposal.NotProposed.selector));
        other.applyThreshold();
    }

    /// @dev A proposal can be withdrawn, and the remaining attestors never suffice by themselves.
    function test_removeAttestor_neverRejected() public {
        vm.startPrank(ADMIN);
        attestorSet.proposeAttestor(NEW);
        attestorSet.removeAttestor(NEW);
        assertEq(attestorSet.attestorReadyAt(NEW), 0, "proposal");
        vm.expectPartialRevert(AttestorSet.UnknownAttestor.selector);
        attestorSet.removeAttestor(NEW);
        for (uint256 i; i < 3; ++i) {
            attestorSet.removeAttestor(vm.addr(attestorKeys[i]));
        }
        vm.stopPrank();
        assertTrue(!_verify(_proof(0, 1)) && !_verify(""), "nothing passes");
    }

    function test_threshold_default() public {
        vm.startPrank(ADMIN);
        attestorSet.proposeThreshold(1);
        vm.warp(block.timestamp + PROPOSAL_NOTICE - 1);
        vm.expectPartialRevert(Proposal.NotReady.selector);
        attestorSet.applyThreshold();
        vm.warp(block.timestamp + 1);
        attestorSet.applyThreshold();
        assertTrue(_verifyUnpranked(_one(0)), "one suffices");
        attestorSet.raiseThreshold(2);
        assertTrue(!_verifyUnpranked(_one(0)), "raised immediately");
    }

    function test_raiseThreshold_dropsTheProposal() public {
        AttestorSet set = _set(4, 2);
        set.proposeThreshold(1);
        set.raiseThreshold(3);
        vm.warp(block.timestamp + PROPOSAL_NOTICE);
        vm.expectPartialRevert(Proposal.NotProposed.selector);
        set.applyThreshold();
    }

    /// @dev n ≥ m + 1.
    function test_error_InvalidThreshold() public {
        vm.startPrank(ADMIN);
        vm.expectPartialRevert(AttestorSet.InvalidThreshold.selector);
        attestorSet.raiseThreshold(3);
        vm.expectPartialRevert(AttestorSet.InvalidThreshold.selector);
        attestorSet.raiseThreshold(2);
        vm.expectPartialRevert(AttestorSet.InvalidThreshold.selector);
        attestorSet.proposeThreshold(3);
        attestorSet.proposeThreshold(0);
        vm.warp(block.timestamp + PROPOSAL_NOTICE);
        vm.expectPartialRevert(AttestorSet.InvalidThreshold.selector);
        attestorSet.applyThreshold();
        vm.stopPrank();
        vm.expectPartialRevert(AttestorSet.InvalidThreshold.selector);
        this.newSet(2, 2);
    }

    /// @dev A set that begins with one attestor twice would count it twice.
    function test_constructor_error_InvalidAttestor() public {
        address[] memory attestors = new address[](3);
        (attestors[0], attestors[1], attestors[2]) = (address(100), address(101), address(100));
        vm.expectRevert(abi.encodeWithSelector(AttestorSet.InvalidAttestor.selector, address(100)));
        this.newSetOf(attestors);
        attestors[2] = address(0);
        vm.expectRevert(abi.encodeWithSelector(AttestorSet.InvalidAttestor.selector, address(0)));
        this.newSetOf(attestors);
    }

    function test_error_notOwner() public {
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        attestorSet.proposeAttestor(NEW);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        attestorSet.addAttestor(NEW);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        attestorSet.removeAttestor(NEW);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        attestorSet.raiseThreshold(3);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        attestorSet.proposeThreshold(1);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        attestorSet.applyThreshold();
    }

    function newSet(uint256 count, uint256 threshold) external returns (AttestorSet) {
        return _set(count, threshold);
    }

    function _set(uint256 count, uint256 threshold) private returns (AttestorSet) {
        address[] memory attestors = new address[](count);
        for (uint256 i; i < count; ++i) {
            attestors[i] = address(uint160(100 + i));
        }
        return
            AttestorSet(
                _create(_creationCode("AttestorSet"), abi.encode(address(this), attestors, threshold))
            );
    }

    function newSetOf(address[] memory attestors) external returns (AttestorSet) {
        return _setOf(attestors, 1);
    }

    function _setOf(address[] memory attestors, uint256 threshold) private returns (AttestorSet) {
        return
            AttestorSet(
                _create(_creationCode("AttestorSet"), abi.encode(address(this), attestors, threshold))
            );
    }

    function _one(uint256 index) private view returns (bytes memory) {
        return _sign(attestorKeys[index], _attestationDigest(ORDER, Outcome.Claimed));
    }

    function _proof(uint256 first, uint256 second) private view returns (bytes memory) {
        return bytes.concat(_one(first), _one(second));
    }

    function _verify(bytes memory proof) private returns (bool) {
        vm.prank(address(smartBalance));
        return attestorSet.verify(O, ORDER, Outcome.Claimed, proof);
    }

    /// @dev Used within the owner's startPrank.
    function _verifyUnpranked(bytes memory proof) private returns (bool verified) {
        vm.stopPrank();
        verified = _verify(proof);
        vm.startPrank(ADMIN);
    }
}
