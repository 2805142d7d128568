// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice Contracts as which anyone can sign: the account asks its owner, the owner asks the account about a signature
/// inside the signature, and the account takes the owner for the caller of an approved hash (nested v = 1).
contract ForgeableTest is OwnershipTest {
    uint256 private constant SECOND_KEY = 0xC0C;

    address internal compatible;

    function setUp() public virtual override {
        super.setUp();
        compatible = _create(
            _code(
                "node_modules/@safe-global/safe-contracts/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json"
            ),
            ""
        );
    }

    /// @dev What the question is about: as such an owner, anyone signs a change.
    function test_anyoneSigns() public {
        _letOwn(compatible);
        bytes memory data = abi.encode(_eoa(THIRD_PARTY_KEY));
        ownership.applyChange(account, 0, ADD, data, _forgedBy(compatible));
        assertTrue(_owns(account, vm.addr(THIRD_PARTY_KEY)), "without any key");
    }

    function test_anyoneSigns_ownHandler() public {
        _letOwn(address(module));
        bytes memory data = abi.encode(_eoa(THIRD_PARTY_KEY));
        ownership.applyChange(account, 0, ADD, data, _forgedBy(address(module)));
        assertTrue(_owns(account, vm.addr(THIRD_PARTY_KEY)), "without any key");
    }

    function test_addOwner_refused() public {
        address[3] memory refused = [compatible, address(module), address(new AlwaysYes())];
        for (uint256 i; i < refused.length; ++i) {
            uint64 sequence = _sequence();
            bytes memory data = abi.encode(_named(refused[i]));
            bytes memory signature = _sign(OWNER_KEY, sequence, ADD, data);
            bytes32 owners = _listHash();
            vm.expectEmit(address(ownership));
            emit IOwnership.OwnerRefused(account, sequence, _named(refused[i]));
            ownership.applyChange(account, sequence, ADD, data, signature);
            assertTrue(_listHash() == owners, "the same owners in the same order");
            assertEq(_sequence(), sequence + 1, "consumed");
            assertEq(pins.signerUntil(account, bytes32(uint256(uint160(refused[i])))), 0, "not pinned");
        }
    }

    function test_replaceOwner_refused() public {
        _grant(_session());
        _change(REPLACE, abi.encode(_eoa(OWNER_KEY), _named(compatible)));
        assertTrue(_owns(account, vm.addr(OWNER_KEY)), "the old one stays");
        assertTrue(!_owns(account, compatible), "the new one does not come");
        assertEq(sessionKeys.keysOf(account).length, 1, "nothing changed");
        // The handler of the account itself is the same.
        _change(REPLACE, abi.encode(_eoa(OWNER_KEY), _named(address(module))));
        assertTrue(_owns(account, vm.addr(OWNER_KEY)), "the old one stays");
    }

    /// @dev Added by the account itself, before the module asked.
    function test_replaceOwner_byOneWhoIsThere() public {
        _letOwn(compatible);
        _change(REPLACE, abi.encode(_eoa(OWNER_KEY), _named(compatible)));
        assertTrue(_owns(account, vm.addr(OWNER_KEY)), "the old one stays");
        assertTrue(_owns(account, compatible), "what the account did stays, too");
    }

    /// @dev At two signatures, one that is forged would prove nothing: the question is asked at one.
    function test_addOwner_refused_atTwo() public {
        _change(ADD, abi.encode(_eoa(SECOND_KEY)));
        _change(SET_THRESHOLD, abi.encode(2));
        bytes memory data = abi.encode(_named(compatible));
        ownership.applyChange(account, 2, ADD, data, _byBoth(2, ADD, data));
        assertTrue(!_owns(account, compatible), "refused");
        assertEq(IOwnedSafe(account).getThreshold(), 2, "restored");
        // Restored as well if it owns the account already, or if it is accepted.
        _letOwn(compatible, 2);
        data = abi.encode(_eoa(OWNER_KEY), _named(compatible));
        ownership.applyChange(account, 3, REPLACE, data, _byBoth(3, REPLACE, data));
        assertTrue(_owns(account, vm.addr(OWNER_KEY)), "the old one stays");
        assertEq(IOwnedSafe(account).getThreshold(), 2, "restored");
        data = abi.encode(_named(address(new HonestOwner())));
        ownership.applyChange(account, 4, ADD, data, _byBoth(4, ADD, data));
        assertEq(IOwnedSafe(account).getThreshold(), 2, "restored");
    }

    function test_addOwner_accepted() public {
        address[3] memory accepted = [address(new HonestOwner()), otherAccount, address(new BurningOwner())];
        for (uint256 i; i < accepted.length; ++i) {
            uint256 gas = gasleft();
            _change(ADD, abi.encode(_named(accepted[i])));
            assertTrue(gas - gasleft() < 900_000, "bounded");
            assertTrue(_owns(account, accepted[i]), "owner");
        }
    }

    /// @dev The sender chooses the gas. There is none with which a forgeable owner is added.
    function test_gasDecidesNothing() public {
        bytes memory data = abi.encode(_named(address(new HungryYes())));
        bytes memory call =
            abi.encodeCall(IOwnership.applyChange, (account, 0, ADD, data, _sign(OWNER_KEY, 0, ADD, data)));
        uint256 begin = _snapshot();
        uint256 refusals;
        for (uint256 gas = 100_000; gas < 900_000; gas += 4_000) {
            (bool success, bytes memory reason) = address(ownership).call{gas: gas}(call);
            assertEq(_sequence(), success ? 1 : 0, "nothing is consumed by half");
            assertEq(IOwnedSafe(account).getOwners().length, 2, "never added");
            if (!success && bytes4(reason) == IOwnership.NotEnoughGas.selector) ++refusals;
            assertTrue(INetworksOnly(address(vm)).revertToState(begin), "reverted");
            begin = _snapshot();
        }
        assertTrue(refusals > 0, "found in time");
    }

    // Recoveries

    function test_error_ForgeableOwner() public {
        _setGuardians(_guardians());
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(NEW_OWNER_KEY), _named(compatible));
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.ForgeableOwner.selector, owners[1]));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
        assertEq(ownership.stateOf(account).number, 0, "nothing is consumed");
    }

    /// @dev The start leaves the account as it was.
    function test_startChangesNothing() public {
        _change(ADD, abi.encode(_eoa(SECOND_KEY)));
        _setGuardians(_guardians());
        vm.prank(account);
        IOwnedSafe(account).changeThreshold(2);
        bytes32 before = _listHash();
        _start(_only(_named(address(new HonestOwner()))));
        assertTrue(_listHash() == before, "the same owners in the same order");
        assertEq(IOwnedSafe(account).getThreshold(), 2, "the same threshold");
    }

    /// @dev What had no code at the start, or other code, is asked again.
    function test_executeRecovery_refused() public {
        _grant(_session());
        _setGuardians(_guardians());
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(NEW_OWNER_KEY), _named(address(0xC0DE)));
        _start(owners);
        bytes32 hash = ownership.stateOf(account).recovery;
        vm.etch(address(0xC0DE), compatible.code);
        vm.warp(block.timestamp + DELAY);
        bytes32 before = _listHash();
        bytes32 head = keccak256(
            abi.encode(ownership.stateOf(account).head, ownership.resultHash(account, 1, owners, 1))
        );
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryExecuted(account, 1, hash, head);
        vm.expectEmit(address(ownership));
        emit IOwnership.OwnerRefused(account, 1, owners[1]);
        ownership.executeRecovery(account, owners, 1);
        assertTrue(_listHash() == before, "no owner changed");
        assertEq(sessionKeys.keysOf(account).length, 1, "and nothing else");
        assertEq(_sequence(), 2, "consumed");
        assertTrue(ownership.stateOf(account).recovery == 0, "ended");
        assertTrue(ownership.stateOf(account).head == head, "as on networks that executed it");
    }

    /// @dev Neither the start nor the execution can be starved.
    function test_recovery_gasDecidesNothing() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_named(address(0xC0DE)));
        _start(owners);
        vm.etch(address(0xC0DE), address(new HungryYes()).code);
        vm.warp(block.timestamp + DELAY);
        bytes memory call = abi.encodeCall(IOwnership.executeRecovery, (account, owners, 1));
        uint256 begin = _snapshot();
        for (uint256 gas = 60_000; gas < 800_000; gas += 4_000) {
            (bool success,) = address(ownership).call{gas: gas}(call);
            assertEq(_sequence(), success ? 2 : 1, "nothing is consumed by half");
            assertTrue(!_owns(account, address(0xC0DE)), "never added");
            assertTrue(INetworksOnly(address(vm)).revertToState(begin), "reverted");
            begin = _snapshot();
        }
    }

    function _letOwn(address owner) internal {
        _letOwn(owner, 1);
    }

    function _letOwn(address owner, uint256 threshold) internal {
        vm.prank(account);
        ISafeAccount(account).addOwnerWithThreshold(owner, threshold);
    }

    function _forgedBy(address owner) internal pure returns (bytes memory) {
        bytes memory nested = abi.encodePacked(uint256(uint160(owner)), uint256(0), uint8(1));
        return abi.encodePacked(uint256(uint160(owner)), uint256(65), uint8(0), nested.length, nested);
    }

    function _listHash() internal view returns (bytes32) {
        return keccak256(abi.encode(IOwnedSafe(account).getOwners()));
    }

    function _byBoth(uint64 sequence, bytes32 kind, bytes memory data) private view returns (bytes memory) {
        bytes memory one = _sign(OWNER_KEY, sequence, kind, data);
        bytes memory two = _sign(SECOND_KEY, sequence, kind, data);
        return vm.addr(OWNER_KEY) < vm.addr(SECOND_KEY) ? bytes.concat(one, two) : bytes.concat(two, one);
    }
}

/// @notice Safe 1.5.0 asks in another way, which ends at the account's own handler.
contract Forgeable150Test is OwnershipTest {
    function setUp() public override {
        super.setUp();
        singleton = _create(
            _code(
                "node_modules/@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json"
            ),
            ""
        );
        account = _createSafe(vm.addr(OWNER_KEY));
        _install(account);
        _enable(account);
    }

    /// @dev What the module refuses, and nothing else, is what anyone signs as.
    function test_otherHandlers() public {
        string[2] memory handlers = [
            "node_modules/@safe-global/safe-contracts/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json",
            "node_modules/@safe-global/safe-smart-account/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json"
        ];
        for (uint256 i; i < 2; ++i) {
            address owner = _create(_code(handlers[i]), "");
            bytes memory data = abi.encode(_eoa(THIRD_PARTY_KEY));
            uint256 begin = _snapshot();
            vm.prank(account);
            ISafeAccount(account).addOwnerWithThreshold(owner, 1);
            bytes memory nested = abi.encodePacked(uint256(uint160(owner)), uint256(0), uint8(1));
            bytes memory forged =
                abi.encodePacked(uint256(uint160(owner)), uint256(65), uint8(0), nested.length, nested);
            (bool isForgeable,) = address(ownership)
                .call(abi.encodeCall(IOwnership.applyChange, (account, 0, ADD, data, forged)));
            _goTo(begin, 1);
            _change(ADD, abi.encode(_named(owner)));
            assertTrue(_owns(account, owner) != isForgeable, "refused where anyone signs");
            _goTo(begin, 1);
        }
    }

    function test_ownHandler() public {
        uint256 begin = _snapshot();
        vm.prank(account);
        ISafeAccount(account).addOwnerWithThreshold(address(module), 1);
        address owner = address(module);
        bytes memory nested = abi.encodePacked(uint256(uint160(owner)), uint256(0), uint8(1));
        bytes memory forged =
            abi.encodePacked(uint256(uint160(owner)), uint256(65), uint8(0), nested.length, nested);
        ownership.applyChange(account, 0, ADD, abi.encode(_eoa(THIRD_PARTY_KEY)), forged);
        assertTrue(_owns(account, vm.addr(THIRD_PARTY_KEY)), "anyone signs");
        _goTo(begin, 1);
        _change(ADD, abi.encode(_named(address(module))));
        assertTrue(!_owns(account, address(module)), "refused");
        assertEq(_sequence(), 1, "consumed");
    }
}

interface INetworksOnly {
    function revertToState(uint256 id) external returns (bool success);
}

/// @dev Both forms of ERC-1271, for anything.
contract AlwaysYes {
    function isValidSignature(bytes calldata, bytes calldata) external pure returns (bytes4) {
        return 0x20c13b0b;
    }

    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}

/// @dev Says yes after it has used what an honest question may use: with less it fails.
contract HungryYes {
    function isValidSignature(bytes calldata, bytes calldata) external view returns (bytes4) {
        uint256 begin = gasleft();
        while (begin - gasleft() < 200_000) {}
        return 0x20c13b0b;
    }
}

contract HonestOwner {
    function isValidSignature(bytes calldata, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

contract BurningOwner {
    function isValidSignature(bytes calldata, bytes calldata) external pure returns (bytes4) {
        while (true) {}
        return 0x20c13b0b;
    }

    function getConfiguration() external pure returns (uint256, uint256, uint176) {
        while (true) {}
        return (0, 0, 0);
    }
}
