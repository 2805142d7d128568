// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {IModuleSetup, ISafe} from "../smart-balance/RealContracts.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice What is signed once, on networks that do not see each other.
contract NetworksTest is OwnershipTest {
    uint256 private constant A = 1;
    uint256 private constant B = 137;

    function test_oneSignatureOnTwoNetworks() public {
        uint256 other = _snapshot();
        vm.chainId(A);
        bytes memory data = abi.encode(_eoa(OWNER_KEY), _passkey(OTHER_PASSKEY));
        bytes memory signature = _sign(OWNER_KEY, 0, REPLACE, data);
        ownership.applyChange(account, 0, REPLACE, data, signature);
        bytes32 owners = _ownerHash(account);
        bytes32 head = ownership.stateOf(account).head;
        _goTo(other, B);
        assertTrue(_owns(account, vm.addr(OWNER_KEY)), "not yet here");
        ownership.applyChange(account, 0, REPLACE, data, signature);
        assertTrue(_ownerHash(account) == owners, "the same owners");
        assertTrue(ownership.stateOf(account).head == head, "not split");
    }

    function test_guardiansSignOnceForTwoNetworks() public {
        _setGuardians(_guardians());
        uint256 other = _snapshot();
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        bytes memory call = abi.encodeCall(
            IOwnership.startRecovery, (account, 1, 1, owners, 1, _guardians(), _signRecovery(owners, 1, 2))
        );
        _recover(call, owners);
        bytes32 recovered = _ownerHash(account);
        _goTo(other, B);
        _recover(call, owners);
        assertTrue(_ownerHash(account) == recovered, "the same owners");
    }

    /// @dev Deployment and log, in order, with the account's first key gone.
    function test_networkDeployedLater() public {
        uint256 empty = _snapshot();
        address safe = _deploy();
        bytes memory first = abi.encode(_eoa(OWNER_KEY), _eoa(NEW_OWNER_KEY));
        bytes memory second = abi.encode(_eoa(NEW_OWNER_KEY), _passkey(OTHER_PASSKEY));
        bytes memory one = _keySignature(OWNER_KEY, ownership.changeHash(safe, 0, REPLACE, first));
        bytes memory two = _keySignature(NEW_OWNER_KEY, ownership.changeHash(safe, 1, REPLACE, second));
        ownership.applyChange(safe, 0, REPLACE, first, one);
        ownership.applyChange(safe, 1, REPLACE, second, two);
        bytes32 owners = _ownerHash(safe);
        _goTo(empty, B);
        assertEq(safe.code.length, 0, "not deployed");
        vm.expectRevert();
        ownership.applyChange(safe, 0, REPLACE, first, one);
        assertEq(uint160(_deploy()), uint160(safe), "the same address");
        // In the wrong order.
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongSequence.selector, 1, 0));
        ownership.applyChange(safe, 1, REPLACE, second, two);
        ownership.applyChange(safe, 0, REPLACE, first, one);
        ownership.applyChange(safe, 1, REPLACE, second, two);
        assertTrue(_ownerHash(safe) == owners, "the same owners");
    }

    /// @dev Two changes of one sequence: the networks' heads say so, and one more change of an owner of both unites them.
    function test_split() public {
        _change(ADD, abi.encode(_eoa(OTHER_OWNER_KEY)));
        uint256 other = _snapshot();
        _change(REPLACE, abi.encode(_eoa(OWNER_KEY), _eoa(NEW_OWNER_KEY)));
        bytes32 owners = _ownerHash(account);
        bytes32 head = ownership.stateOf(account).head;
        uint256 here = _snapshot();
        _goTo(other, B);
        _change(REPLACE, abi.encode(_eoa(OWNER_KEY), _eoa(THIRD_PARTY_KEY)));
        assertTrue(ownership.stateOf(account).head != head, "split");
        assertTrue(_ownerHash(account) != owners, "other owners");
        bytes memory data = abi.encode(_eoa(THIRD_PARTY_KEY), _eoa(NEW_OWNER_KEY));
        bytes memory signature = _sign(OTHER_OWNER_KEY, 2, REPLACE, data);
        ownership.applyChange(account, 2, REPLACE, data, signature);
        assertTrue(_ownerHash(account) == owners, "united here");
        _goTo(here, A);
        ownership.applyChange(account, 2, REPLACE, data, signature);
        assertTrue(_ownerHash(account) == owners, "and there");
        assertTrue(ownership.stateOf(account).head != 0, "heads stay different");
    }

    /// @dev The owner cancelled on A only.
    function test_cancellationMustReachEachNetwork() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        uint256 other = _snapshot();
        bytes memory signature = _sign(OWNER_KEY, 1, CANCEL, "");
        ownership.applyChange(account, 1, CANCEL, "", signature);
        _goTo(other, B);
        assertTrue(ownership.stateOf(account).recovery != 0, "still running there");
        ownership.applyChange(account, 1, CANCEL, "", signature);
        assertTrue(ownership.stateOf(account).recovery == 0, "cancelled there, too");
    }

    function _recover(bytes memory call, Owner[] memory owners) private {
        (bool success,) = address(ownership).call(call);
        assertTrue(success, "started");
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
    }

    /// @dev With the module in its setup.
    function _deploy() private returns (address) {
        address[] memory modules = new address[](2);
        (modules[0], modules[1]) = (address(module), address(ownership));
        address[] memory owners = new address[](1);
        owners[0] = vm.addr(OWNER_KEY);
        bytes memory initializer = abi.encodeCall(
            ISafe.setup,
            (
                owners,
                1,
                moduleSetup,
                abi.encodeCall(IModuleSetup.enableModules, (modules)),
                address(module),
                address(0),
                0,
                payable(address(0))
            )
        );
        address safe = proxyFactory.createProxyWithNonce(singleton, initializer, 7);
        assertTrue(IOwnedSafe(safe).isModuleEnabled(address(ownership)), "enabled");
        return safe;
    }
}
