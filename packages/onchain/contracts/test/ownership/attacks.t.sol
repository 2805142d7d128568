// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Rule, RuleKind} from "../../session-keys/Session.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

interface IApprovingSafe {
    function approveHash(bytes32 hash) external;
}

/// @notice Attempts to change owners without an owner's signature.
contract OwnershipAttacks is OwnershipTest {
    /// @dev v = 1 passes for the Safe's caller, which is the module, without any approval.
    function test_moduleAsOwner() public {
        vm.prank(account);
        ISafeAccount(account).addOwnerWithThreshold(address(ownership), 1);
        _refused(
            abi.encodePacked(uint256(uint160(address(ownership))), uint256(0), uint8(1)),
            abi.encodeWithSelector(IOwnership.ApprovedHash.selector)
        );
        // Nor does it sign as a contract.
        _refused(
            abi.encodePacked(uint256(uint160(address(ownership))), uint256(65), uint8(0), uint256(0)), ""
        );
    }

    /// @dev An owner's approval is on chain, and would hold there only.
    function test_approvedHash() public {
        bytes32 hash = ownership.changeHash(account, 0, ADD, _data());
        vm.prank(vm.addr(OWNER_KEY));
        IApprovingSafe(account).approveHash(hash);
        _refused(
            abi.encodePacked(uint256(uint160(vm.addr(OWNER_KEY))), uint256(0), uint8(1)),
            abi.encodeWithSelector(IOwnership.ApprovedHash.selector)
        );
    }

    function test_otherSigners() public {
        _refused("", bytes("GS020"));
        _refused(new bytes(64), bytes("GS020"));
        _refused(_sign(THIRD_PARTY_KEY, 0, ADD, _data()), bytes("GS026"));
        _refused(_sign(OTHER_OWNER_KEY, 0, ADD, _data()), bytes("GS026"));
    }

    /// @dev Each field, and another account of the same owner.
    function test_whatIsSignedIsWhatIsApplied() public {
        bytes memory data = _data();
        bytes memory signature = _sign(OWNER_KEY, 0, ADD, data);
        vm.expectRevert(bytes("GS026"));
        ownership.applyChange(account, 0, REMOVE, data, signature);
        vm.expectRevert(bytes("GS026"));
        ownership.applyChange(account, 0, ADD, abi.encode(_eoa(THIRD_PARTY_KEY)), signature);
        _change(CANCEL, "");
        vm.expectRevert(bytes("GS026"));
        ownership.applyChange(account, 1, ADD, data, signature);
        vm.startPrank(otherAccount);
        ISafeAccount(otherAccount).enableModule(address(ownership));
        ISafeAccount(otherAccount).addOwnerWithThreshold(vm.addr(OWNER_KEY), 1);
        vm.stopPrank();
        vm.expectRevert(bytes("GS026"));
        ownership.applyChange(otherAccount, 0, ADD, data, signature);
    }

    /// @dev A session's key signs nothing but user operations that call SessionKeys.
    function test_sessionSigns() public {
        _grant(_session());
        PackedUserOperation memory op = _build(_draft(_increment()));
        bytes memory signature = op.signature;
        bytes memory own = new bytes(signature.length - 12);
        for (uint256 i; i < own.length; ++i) {
            own[i] = signature[i + 12];
        }
        bytes memory data = _data();
        vm.expectPartialRevert(bytes4(keccak256("OtherOperation()")));
        ownership.applyChange(account, 0, ADD, data, own);
    }

    function test_sessionCallsModule() public {
        Rule memory rule =
            Rule(RuleKind.Call, address(ownership), IOwnership.applyChange.selector, address(0), 0);
        vm.expectRevert(abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, address(ownership)));
        _grant(_sessionWith(rule));
    }

    /// @dev An owner that is a contract is asked by STATICCALL, with the preimage (GS027).
    function test_ownerIsAContract() public {
        EchoOwner echo = new EchoOwner();
        _change(ADD, abi.encode(_named(address(echo))));
        bytes memory data = _data();
        bytes32 hash = ownership.changeHash(account, 1, ADD, data);
        bytes memory signature =
            abi.encodePacked(uint256(uint160(address(echo))), uint256(65), uint8(0), uint256(32), hash);
        ownership.applyChange(account, 1, ADD, data, signature);
        assertTrue(_owns(account, vm.addr(NEW_OWNER_KEY)), "it was given what hashes to what is signed");

        ReenteringOwner reentering = new ReenteringOwner(ownership, account);
        _change(ADD, abi.encode(_named(address(reentering))));
        data = abi.encode(_named(address(reentering)));
        signature = abi.encodePacked(uint256(uint160(address(reentering))), uint256(65), uint8(0), uint256(0));
        vm.expectRevert();
        ownership.applyChange(account, 3, ADD, data, signature);
    }

    /// @dev The identity precompile answers what it is asked: the selector of `isValidSignature(bytes,bytes)` is the answer
    /// that a Safe expects. Only the missing code stops it.
    function test_precompileAsOwner() public {
        for (uint160 precompile = 2; precompile <= 10; ++precompile) {
            address owner = address(precompile);
            uint64 sequence = _sequence();
            _change(ADD, abi.encode(_named(owner)));
            bytes memory data = abi.encode(_named(address(0xBAD)));
            bytes memory signature =
                abi.encodePacked(uint256(precompile), uint256(65), uint8(0), uint256(32), bytes32(0));
            vm.expectRevert();
            ownership.applyChange(account, sequence + 1, ADD, data, signature);
            _change(REMOVE, abi.encode(_named(owner)));
        }
    }

    /// @dev A guardian is asked without a look at its code: the answer of the identity precompile goes on with the hash.
    function test_precompileAsGuardian() public {
        for (uint160 precompile = 2; precompile <= 10; ++precompile) {
            GuardianSet memory set = _guardian(address(precompile));
            _setGuardians(set);
            GuardianSignature[] memory signatures = new GuardianSignature[](1);
            signatures[0] = GuardianSignature(address(precompile), new bytes(65));
            Owner[] memory owners = _only(_eoa(THIRD_PARTY_KEY));
            uint64 sequence = _sequence();
            vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
            ownership.startRecovery(account, sequence, 1, owners, 1, set, signatures);
        }
    }

    /// @dev Nobody's call of the account's modules goes through this one.
    function test_nobodyCallsThroughTheModule() public {
        assertTrue(ownership.stateOf(address(0xdead)).sequence == 0, "no state");
        vm.expectRevert();
        ownership.applyChange(address(0xdead), 0, CANCEL, "", new bytes(65));
    }

    function _data() private pure returns (bytes memory) {
        return abi.encode(Owner(0, abi.encodePacked(vm.addr(NEW_OWNER_KEY))));
    }

    function _refused(bytes memory signature, bytes memory reason) private {
        bytes memory data = _data();
        if (reason.length == 0) vm.expectRevert();
        else vm.expectRevert(reason);
        ownership.applyChange(account, 0, ADD, data, signature);
    }
}

/// @dev Accepts data whose hash it is given as the signature.
contract EchoOwner {
    function isValidSignature(bytes calldata data, bytes calldata signature) external pure returns (bytes4) {
        return keccak256(data) == bytes32(signature) ? bytes4(0x20c13b0b) : bytes4(0);
    }
}

contract ReenteringOwner {
    IOwnership private immutable OWNERSHIP;
    address private immutable ACCOUNT;

    constructor(IOwnership ownership, address account) {
        OWNERSHIP = ownership;
        ACCOUNT = account;
    }

    function isValidSignature(bytes calldata, bytes calldata) external returns (bytes4) {
        bytes memory signature =
            abi.encodePacked(uint256(uint160(address(this))), uint256(65), uint8(0), uint256(0));
        OWNERSHIP.applyChange(ACCOUNT, 3, "cancel", "", signature);
        return 0x20c13b0b;
    }
}
